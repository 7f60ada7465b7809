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
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.statesql.jdbc.ConnectionOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.BuiltInConnectionProperty;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may do what, and what is let in at all. */
class SecurityTest {
  private static final String JSON = "application/json";
  private static final String OPEN = "{\"request\":\"openConnection\",\"connectionId\":\"%s\"}";
  private static final String STATEMENT =
      "{\"request\":\"createStatement\",\"connectionId\":\"%s\"}";

  private static RunningServer open;
  private static RunningServer guarded;

  @BeforeAll
  static void start() {
    open = RunningServer.start();
    guarded =
        RunningServer.start(
            Map.of(
                "writable",
                true,
                "users",
                List.of(user("rita", "reader"), user("will", "writer"), user("ada", "admin"))));
  }

  @AfterAll
  static void stop() {
    open.close();
    guarded.close();
  }

  /** A user whose password is the name twice. */
  private static Map<String, String> user(String name, String role) {
    return Map.of("name", name, "password", PasswordHash.of(name + name).toString(), "role", role);
  }

  private static Connection connect(String user) throws SQLException {
    return guarded.connect(user, user + user);
  }

  @Test
  void userWithThePasswordMayRead() throws SQLException {
    for (int i = 0; i < 2; i++) {
      try (Connection connection = connect("rita")) {
        assertThat(RunningServer.rows(connection, "SELECT COUNT(*) FROM customers.keyed_state"))
            .containsExactly(List.of("12"));
      }
    }
  }

  @Test
  void tunnelsAreNotOffered() throws IOException {
    try (Socket socket = new Socket("localhost", open.server().port())) {
      socket
          .getOutputStream()
          .write(
              "CONNECT localhost:22 HTTP/1.1\r\nHost: localhost:22\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 501")
          .contains("no proxy");
    }
  }

  @Test
  void refusalAsksForBasic() throws Exception {
    HttpResponse<String> reply = guarded.send(OPEN.formatted("c"), "Content-Type", JSON);

    assertThat(reply.statusCode()).isEqualTo(401);
    assertThat(reply.headers().firstValue("WWW-Authenticate").orElseThrow())
        .startsWith("Basic realm=");
    for (String nonsense : List.of("Basic", "Basic !", "Basic cml0YQ==", "Bearer x", "Basic  ")) {
      assertThat(
              guarded
                  .send(OPEN.formatted("c"), "Content-Type", JSON, "Authorization", nonsense)
                  .statusCode())
          .isEqualTo(401);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "rita, INSERT INTO customers.\"lifetime-spend\" (state_key) VALUES ('a'), 42501",
    "rita, DELETE FROM customers.keyed_state, 42501",
    "rita, DROP SCHEMA customers, 42501",
    "will, DROP SCHEMA customers, 42501",
    "ada, DROP TABLE customers, 42000",
    "ada, CREATE TABLE t AS SELECT 1, 42000",
    "ada, COMMIT, 42000",
    "ada, RESET ALL, 0A000",
    "rita, DESCRIBE TABLE t, 42S02",
  })
  void roleAndKindOfStatementDecide(String user, String sql, String state) throws SQLException {
    try (Connection connection = connect(user)) {
      SQLException refused =
          catchThrowableOfType(SQLException.class, () -> connection.createStatement().execute(sql));
      assertThat(refused.getSQLState()).as(refused.getMessage()).isEqualTo(state);
    }
  }

  @Test
  void connectionOfSomebodyElseIsUnknown() throws Exception {
    String rita = "Basic cml0YTpyaXRhcml0YQ==";
    String will = "Basic d2lsbDp3aWxsd2lsbA==";
    guarded.send(OPEN.formatted("hers"), "Content-Type", JSON, "Authorization", rita);

    assertThat(
            guarded
                .send(STATEMENT.formatted("hers"), "Content-Type", JSON, "Authorization", will)
                .body())
        .contains("08003");
    assertThat(
            guarded
                .send(STATEMENT.formatted("hers"), "Content-Type", JSON, "Authorization", rita)
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void coordinatorIsNoWayAroundTheLogin() throws Exception {
    assertThat(
            guarded
                .send(
                    "POST",
                    "/coordinator/v1/CountInstances",
                    "{}".getBytes(StandardCharsets.UTF_8),
                    "Content-Type",
                    JSON)
                .statusCode())
        .isEqualTo(401);
    assertThat(
            open.send(
                    "POST",
                    "/coordinator/v1/CountInstances",
                    "{}".getBytes(StandardCharsets.UTF_8),
                    "Content-Type",
                    JSON)
                .body())
        .isEqualTo("{\"count\":0}");
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /, text/plain, X-Any, any, 415",
    "POST, /, application/x-www-form-urlencoded, X-Any, any, 415",
    "POST, /, application/json, Origin, http://evil.example, 403",
    "POST, /other, application/json, X-Any, any, 404",
    "GET, /, application/json, X-Any, any, 405",
    "OPTIONS, /, application/json, Origin, http://evil.example, 403",
  })
  void webPagesAndStrayRequestsAreKeptOut(
      String method, String path, String type, String header, String value, int status)
      throws Exception {
    byte[] body = OPEN.formatted("c").getBytes(StandardCharsets.UTF_8);

    assertThat(open.send(method, path, body, "Content-Type", type, header, value).statusCode())
        .isEqualTo(status);
  }

  @Test
  void nameThatIsNotOursIsKeptOut() throws IOException {
    try (Socket socket = new Socket("localhost", open.server().port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          "POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 403");
    }
  }

  /** More of them than there are threads. */
  @Test
  void clientsThatSendSlowlyKeepNobodyWaiting() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        Socket socket = new Socket("localhost", open.server().port());
        slow.add(socket);
        socket
            .getOutputStream()
            .write(
                ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 1000\r\n\r\n{")
                    .getBytes(StandardCharsets.US_ASCII));
      }
      try (Connection connection = open.connect()) {
        assertThat(RunningServer.rows(connection, "VALUES 1")).containsExactly(List.of("1"));
      }
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void longMessagesAreRefused() throws Exception {
    try (RunningServer server =
        RunningServer.start(Map.of("limits", Map.of("requestBytes", 1000)))) {
      assertThat(server.send(" ".repeat(1001), "Content-Type", JSON).statusCode()).isEqualTo(413);
      assertThat(server.send(" ".repeat(1000), "Content-Type", JSON).statusCode()).isEqualTo(400);
    }
  }

  @Test
  void beyondThisMachineItNeedsUsersOrToBeToldTwice() throws Exception {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> StateSqlServer.start(RunningServer.config(Map.of("host", "0.0.0.0"))).close())
        .withMessageContaining("needs users")
        .withMessageContaining("--open");
    RunningServer.start(Map.of("host", "0.0.0.0", "open", true)).close();
  }

  /** What a property would do if anybody looked at it. */
  public static final class Canary {
    static {
      System.setProperty("statesql.test.canary", "dead");
    }

    private Canary() {}
  }

  /** Every property that any layer below knows, with a value that would show. */
  private static Map<String, String> hostileProperties(Path folder) throws IOException {
    Map<String, String> properties = new HashMap<>();
    for (CalciteConnectionProperty property : CalciteConnectionProperty.values()) {
      properties.put(property.camelName(), Canary.class.getName());
    }
    for (BuiltInConnectionProperty property : BuiltInConnectionProperty.values()) {
      properties.put(property.camelName(), Canary.class.getName());
    }
    for (String name : ConnectionOptions.PROPERTY_NAMES) {
      properties.put(name, folder.resolve(name).toString());
    }
    Path model = Files.writeString(folder.resolve("model.json"), "{\"version\": \"1.0\", \"x\"");
    properties.put("model", model.toString());
    properties.put("lex", "ORACLE");
    properties.put("caseSensitive", "true");
    properties.put("unquotedCasing", "TO_UPPER");
    properties.put("conformance", "BABEL");
    properties.put("timeZone", "Asia/Tokyo");
    properties.put("composites", "objects");
    properties.put("coordinator", open.server().url());
    properties.put("schema", "nowhere");
    properties.put("user", "somebody");
    properties.put("password", "anything");
    return properties;
  }

  @Test
  void noPropertyOfAClientReachesTheDriver(@TempDir Path folder) throws Exception {
    Map<String, Object> message = new HashMap<>();
    message.put("request", "openConnection");
    message.put("connectionId", "hostile");
    message.put("info", hostileProperties(folder));

    HttpResponse<String> opened =
        open.send(new ObjectMapper().writeValueAsString(message), "Content-Type", JSON);
    assertThat(opened.statusCode()).as(opened.body()).isEqualTo(200);
    String made = open.send(STATEMENT.formatted("hostile"), "Content-Type", JSON).body();
    Map<String, Object> execution = new HashMap<>();
    execution.put("request", "prepareAndExecute");
    execution.put("connectionId", "hostile");
    execution.put("statementId", new ObjectMapper().readTree(made).get("statementId").intValue());
    execution.put(
        "sql",
        "SELECT \"order-ids\", TIMESTAMP '2026-01-01 00:00:00'"
            + " FROM \"orders-per-customer\".keyed_state WHERE state_key = 2");
    execution.put("maxRowsTotal", -1);
    execution.put("maxRowsInFirstFrame", 10);

    assertThat(
            open.send(new ObjectMapper().writeValueAsString(execution), "Content-Type", JSON)
                .body())
        .contains("\"rows\":[[\"[1002,1019,1024,1041,1058,1063,1080,1085]\",1767225600000]]");
    assertThat(System.getProperty("statesql.test.canary")).isNull();
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void propertiesOfTheUrlAreIgnoredToo() throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(
            open.jdbcUrl("protobuf") + ";snapshot=/nowhere;jars=/nowhere;commitTo=/nowhere")) {
      assertThat(connection.getCatalog()).isEqualTo("orders");
    }
  }
}
