/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file
 * except in compliance with the License. You may obtain a copy of the License at
 *
 *     https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions
 * and limitations under the License.
 */
package io.statesql.shell;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one start of the shell has to do.
 *
 * @param connection where to connect first, or empty to start without a connection
 * @param settings sqlline properties by name, in the order given
 * @param setup sqlline commands to run after connecting
 * @param statements texts of {@code -e}, in order; each may hold several statements
 * @param script file of {@code -f}, run after the statements; {@code -} is standard input
 * @param banner lines shown when an interactive session begins
 * @param settingsFolder where an interactive session keeps its history and saved settings
 */
public record ShellRequest(
    Optional<ConnectUrl> connection,
    Map<String, String> settings,
    List<String> setup,
    List<String> statements,
    Optional<String> script,
    String banner,
    Path settingsFolder) {
  public ShellRequest {
    settings = Map.copyOf(settings);
    setup = List.copyOf(setup);
    statements = List.copyOf(statements);
  }

  /** Whether statements come from a person at a terminal. */
  public boolean interactive() {
    return statements.isEmpty() && script.isEmpty();
  }
}
