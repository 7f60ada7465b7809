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
package sqlline;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** {@code !help}: one screen by task; {@code !help NAME} and {@code !help all} are sqlline's. */
final class HelpCommand extends AbstractCommandHandler {
  private final CommandHandler allCommands;

  /**
   * @param allCommands sqlline's own help
   */
  HelpCommand(SqlLine shell, CommandHandler allCommands) {
    super(
        shell,
        allCommands.getNames().toArray(String[]::new),
        allCommands.getHelpText(),
        List.copyOf(allCommands.getParameterCompleters()));
    this.allCommands = allCommands;
  }

  @Override
  public void execute(String line, DispatchCallback callback) {
    String[] words = line.strip().split("\\s+", 2);
    if (words.length == 2) {
      allCommands.execute(words[1].equals("all") ? words[0] : line, callback);
      return;
    }
    text().lines().forEach(sqlLine::output);
    callback.setToSuccess();
  }

  private static String text() {
    try (InputStream text =
        Objects.requireNonNull(HelpCommand.class.getResourceAsStream("help.txt"), "help.txt")) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
