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
package io.statesql.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerConfigTest {
  @TempDir private Path folder;

  private ServerConfig read(String name, String text, Map<String, Object> overrides)
      throws IOException {
    return ServerConfig.read(Files.writeString(folder.resolve(name), text), overrides);
  }

  @Test
  void yamlSaysEverything() throws IOException {
    ServerConfig config =
        read(
            "server.yaml",
            """
            host: 0.0.0.0
            port: 9000
            mounts:
              shop: /data/checkpoints/shop
              ads: /data/checkpoints/ads
            writable: true
            commitTo: /data/savepoints
            users:
              - name: ada
                password: %s
                role: writer
            tls: {certificate: server.pem, key: server.key}
            limits:
              statementSeconds: 30
            """
                .formatted(PasswordHash.of("secret")),
            Map.of());

    assertThat(config.allMounts())
        .containsExactly("shop=/data/checkpoints/shop", "ads=/data/checkpoints/ads");
    assertThat(config.users()).singleElement().matches(user -> user.role() == Role.WRITER);
    assertThat(config.tls().certificate()).isEqualTo("server.pem");
    assertThat(config.limits().statementSeconds()).isEqualTo(30);
    assertThat(config.limits().connections()).isEqualTo(Limits.DEFAULT.connections());
  }

  @Test
  void jsonSaysTheSame() throws IOException {
    ServerConfig config =
        read("server.json", "{\"port\": 9000, \"mounts\": {\"a\": \"/a\"}}", Map.of());

    assertThat(config.port()).isEqualTo(9000);
    assertThat(config.allMounts()).containsExactly("a=/a");
  }

  @Test
  void commandLineWinsAndItsMountsComeFirst() throws IOException {
    ServerConfig config =
        read(
            "server.yaml",
            "port: 9000\nmounts: {a: /a}\n",
            Map.of("port", 0, "snapshots", List.of("/b")));

    assertThat(config.port()).isZero();
    assertThat(config.allMounts()).containsExactly("/b", "a=/a");
  }

  @Test
  void emptyFileSaysNothing() throws IOException {
    assertThat(read("server.yaml", "", Map.of())).isEqualTo(ServerConfig.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          prot: 1                                    | prot: Unrecognized field
          port: high                                 | port: Cannot
          port: 70000                                | the port must be 0 to 65535
          limits: {statementSeconds: 0}              | the limit statementSeconds must be positive
          limits: {seconds: 1}                       | Unrecognized field
          users: [{name: ada, password: secret, role: reader}] | a password must be given as its hash
          users: [{name: ada, role: reader}]         | the user ada needs a password and a role
          users: [{name: ada, role: king}]           | role
          tls: {certificate: a.pem}                  | tls needs either certificate and key
          mounts: {a/b: /a}                          | needs a name of letters
          mounts                                     | must hold names with values
          """)
  void mistakeIsNamed(String text, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("server.yaml", text, Map.of()))
        .withMessageContaining("server.yaml")
        .withMessageContaining(reason)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret").hasLineCount(1));
  }

  @Test
  void hashTellsItsPasswordFromOthers() {
    PasswordHash hash = PasswordHash.parse(PasswordHash.of("Zoë's").toString());

    assertThat(hash.matches("Zoë's")).isTrue();
    assertThat(hash.matches("Zoe's")).isFalse();
    assertThat(PasswordHash.of("a")).doesNotHaveToString(PasswordHash.of("a").toString());
  }
}
