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
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
  private static final String PASSWORD = "changeit";

  @TempDir private static Path folder;
  private static Path store;

  @BeforeAll
  static void makeCertificate() throws Exception {
    store = folder.resolve("server.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-storetype",
                "PKCS12",
                "-alias",
                "server",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    Files.writeString(folder.resolve("password"), PASSWORD + "\n");
  }

  private static void writePem() throws Exception {
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    pem("server.pem", "CERTIFICATE", keys.getCertificate("server").getEncoded());
    pem("server.key", "PRIVATE KEY", keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
  }

  private static void pem(String name, String kind, byte[] content) throws IOException {
    Files.writeString(
        folder.resolve(name),
        "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
            .formatted(kind, Base64.getMimeEncoder().encodeToString(content)));
  }

  private static void assertServes(Map<String, Object> tls) throws Exception {
    try (RunningServer server = RunningServer.start(Map.of("tls", tls))) {
      assertThat(server.server().url()).startsWith("https://localhost:");
      try (Connection connection =
          DriverManager.getConnection(
              server.jdbcUrl("protobuf")
                  + ";truststore="
                  + store
                  + ";truststore_password="
                  + PASSWORD
                  + ";keystore_type=PKCS12")) {
        assertThat(RunningServer.rows(connection, "VALUES 1")).containsExactly(List.of("1"));
      }
    }
  }

  @Test
  void keystoreServes() throws Exception {
    assertServes(
        Map.of(
            "keystore", store.toString(), "passwordFile", folder.resolve("password").toString()));
  }

  @Test
  void pemFilesServe() throws Exception {
    writePem();
    assertServes(
        Map.of(
            "certificate",
            folder.resolve("server.pem").toString(),
            "key",
            folder.resolve("server.key").toString()));
  }

  @Test
  void fileWithoutAKeyIsNamed() throws Exception {
    writePem();
    String certificate = folder.resolve("server.pem").toString();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> TlsFiles.context(new ServerConfig.Tls(certificate, certificate, null, null)))
        .withMessageContaining("server.pem holds no private key");
  }

  @Test
  void plainHttpIsToldThatTheServerSpeaksTls() throws Exception {
    Map<String, Object> tls =
        Map.of("keystore", store.toString(), "passwordFile", folder.resolve("password").toString());
    try (RunningServer server = RunningServer.start(Map.of("tls", tls))) {
      String plain = server.jdbcUrl("protobuf").replace("https://", "http://");
      assertThat(catchThrowable(() -> DriverManager.getConnection(plain).getCatalog()))
          .hasStackTraceContaining("HTTP/400");
      URI uri = URI.create("http://localhost:" + server.server().port() + "/");
      assertThat(
              HttpClient.newHttpClient()
                  .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                  .body())
          .contains("This port speaks TLS");
    }
  }

  @Test
  void userAndPasswordLogInOverTls() throws Exception {
    Map<String, Object> config =
        Map.of(
            "tls",
            Map.of(
                "keystore",
                store.toString(),
                "passwordFile",
                folder.resolve("password").toString()),
            "users",
            List.of(
                Map.of(
                    "name",
                    "rita",
                    "password",
                    PasswordHash.of("secret").toString(),
                    "role",
                    "reader")));
    try (RunningServer server = RunningServer.start(config);
        Connection connection =
            DriverManager.getConnection(
                server.jdbcUrl("protobuf")
                    + ";truststore="
                    + store
                    + ";truststore_password="
                    + PASSWORD
                    + ";keystore_type=PKCS12",
                "rita",
                "secret")) {
      assertThat(RunningServer.rows(connection, "VALUES 1")).containsExactly(List.of("1"));
    }
  }
}
