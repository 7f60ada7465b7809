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
package io.statesql.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.hydromatic.quidem.Quidem;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The scripts in {@code sql-examples/scripts}: statements over the sample, each followed by what it
 * returns. What differs is written to {@code target/scripts}; copy it over the script if it is
 * right.
 */
class SqlScriptsTest {

  static List<String> scripts() throws IOException {
    try (var files = Files.list(ProjectFiles.SCRIPTS)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".iq"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void returnsWhatItSays(String name) throws IOException {
    String script = Files.readString(ProjectFiles.SCRIPTS.resolve(name));
    StringWriter output = new StringWriter();
    Quidem.Config config =
        Quidem.configBuilder()
            .withReader(new StringReader(script))
            .withWriter(output)
            .withConnectionFactory(
                (database, reference) ->
                    reference
                        ? null
                        : QueryResult.connect(
                            ProjectFiles.SAMPLE.resolveSibling(database), "composites=json"))
            .build();
    new Quidem(config).execute();

    Path folder = Files.createDirectories(ProjectFiles.TARGET.resolve("scripts"));
    Files.writeString(folder.resolve(name), output.toString());
    assertThat(output.toString()).isEqualTo(script);
  }
}
