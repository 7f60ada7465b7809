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
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Users and passwords, as the login fields of a tool give them to the driver. */
class LoginTest {
  private static final String JSON = "application/json";
  private static final String OPEN =
      "{\"request\":\"openConnection\",\"connectionId\":\"%s\",\"info\":{\"user\":\"%s\",\"password\":\"%s\"}}";
  private static final String STATEMENT =
      "{\"request\":\"createStatement\",\"connectionId\":\"%s\"}";
  private static final String CLOSE = "{\"request\":\"closeConnection\",\"connectionId\":\"%s\"}";
  private static final String DROP = "DROP SCHEMA customers";

  private static RunningServer server;

  @BeforeAll
  static void start() {
    server = RunningServer.start(users());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Map<String, Object> users() {
    return Map.of(
        "writable", true, "users", List.of(user("rita", "reader"), user("will", "writer")));
  }

  /** A user whose password is the name twice. */
  private static Map<String, String> user(String name, String role) {
    return Map.of("name", name, "password", PasswordHash.of(name + name).toString(), "role", role);
  }

  private static Connection connect(String serialization, String user, String password)
      throws SQLException {
    return DriverManager.getConnection(server.jdbcUrl(serialization), user, password);
  }

  private static String count(Connection connection) throws SQLException {
    return RunningServer.rows(connection, "SELECT COUNT(*) FROM customers.keyed_state")
        .get(0)
        .get(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json", "protobuf;authentication=BASIC"})
  void userAndPasswordOfTheDriverManagerLogIn(String serialization) throws SQLException {
    try (Connection reader = connect(serialization, "rita", "ritarita");
        Connection writer = connect(serialization, "will", "willwill")) {
      assertThat(count(reader)).isEqualTo("12");
      assertThat(count(writer)).isEqualTo("12");
      assertThat(refusal(reader)).contains("The user rita may not do this");
      assertThat(refusal(writer)).contains("The user will may not do this");
      assertThat(reader.getMetaData().getCatalogs().next()).isTrue();
    }
  }

  private static String refusal(Connection connection) {
    return catchThrowableOfType(
            SQLException.class, () -> connection.createStatement().execute(DROP))
        .getMessage();
  }

  @ParameterizedTest
  @CsvSource({"rita,wrong", "nobody,nobody", "rita,''"})
  void whatIsWrongIsToldSo(String user, String password) {
    assertThat(catchThrowable(() -> connect("protobuf", user, password)))
        .hasMessageContaining("The user or the password is wrong");
    assertThat(catchThrowable(() -> server.connect(user, password).getCatalog()))
        .as("with the header")
        .hasMessageContaining("The user or the password is wrong");
  }

  /** Which the hash does not tell from none. */
  @Test
  void passwordWithANulAtItsEndIsAnotherOne() throws Exception {
    assertThat(catchThrowable(() -> connect("protobuf", "rita", "ritarita\0")))
        .hasMessageContaining("The user or the password is wrong");
    String header =
        "Basic "
            + Base64.getEncoder()
                .encodeToString("will:willwill\0".getBytes(StandardCharsets.UTF_8));
    assertThat(
            server
                .send(OPEN.formatted("n", "", ""), "Content-Type", JSON, "Authorization", header)
                .body())
        .contains("28P01");
    assertThatIllegalArgumentException().isThrownBy(() -> PasswordHash.of("a\0"));
  }

  @Test
  void whoGivesNothingIsAskedForIt() throws Exception {
    assertThat(catchThrowable(() -> server.connect().getCatalog()))
        .hasStackTraceContaining("HTTP/401");
    assertThat(catchThrowable(() -> connect("protobuf", "", "").getCatalog()))
        .hasStackTraceContaining("HTTP/401");
    HttpResponse<String> reply =
        server.send(
            "{\"request\":\"openConnection\",\"connectionId\":\"c\"}", "Content-Type", JSON);
    assertThat(reply.body()).contains("needs a user and a password, and got none");
  }

  /** The id of a connection, which a client chooses and a log may show, is no secret. */
  @Test
  void onlyTheSecretOfItsConnectionLetsAClientGoOn() throws Exception {
    String cookie = open("of-rita", "rita");

    assertThat(cookie).contains("HttpOnly").contains("SameSite=Strict");
    assertThat(send(STATEMENT.formatted("of-rita"), "").statusCode()).isEqualTo(401);
    assertThat(send(STATEMENT.formatted("of-rita"), "statesql-login=guess").body())
        .contains("08003");
    assertThat(send(STATEMENT.formatted("of-rita"), secret(cookie)).statusCode()).isEqualTo(200);
    String other = secret(open("of-will", "will"));
    assertThat(send(STATEMENT.formatted("of-rita"), other).body()).contains("08003");

    assertThat(send(CLOSE.formatted("of-rita"), secret(cookie)).statusCode()).isEqualTo(200);
    assertThat(send(STATEMENT.formatted("of-will"), secret(cookie)).body())
        .as("with the secret of a connection that was closed")
        .contains("08003");
    assertThat(
            server
                .getBytes(
                    "/state/orders/orders-per-customer/1/order-count", "Cookie", secret(cookie))
                .statusCode())
        .isEqualTo(401);
  }

  private static String open(String id, String user) throws Exception {
    HttpResponse<String> opened = send(OPEN.formatted(id, user, user + user), "");
    assertThat(opened.statusCode()).as(opened.body()).isEqualTo(200);
    return opened.headers().firstValue("Set-Cookie").orElseThrow();
  }

  private static String secret(String cookie) {
    return cookie.split(";", 2)[0];
  }

  private static HttpResponse<String> send(String message, String cookie) throws Exception {
    return cookie.isEmpty()
        ? server.send(message, "Content-Type", JSON)
        : server.send(message, "Content-Type", JSON, "Cookie", cookie);
  }

  @Test
  void clientFindsBackAfterARestart() throws Exception {
    RunningServer before = RunningServer.start(users());
    int port = before.server().port();
    try (Connection plain =
            DriverManager.getConnection(before.jdbcUrl("protobuf"), "rita", "ritarita");
        Connection reconnecting =
            DriverManager.getConnection(
                before.jdbcUrl("protobuf") + ";transparent_reconnection=true",
                "rita",
                "ritarita")) {
      assertThat(count(reconnecting)).isEqualTo("12");
      before.close();
      Map<String, Object> again = new HashMap<>(users());
      again.put("port", port);
      try (RunningServer after = RunningServer.start(again)) {
        assertThat(count(reconnecting)).isEqualTo("12");
        SQLException lost =
            catchThrowableOfType(SQLException.class, () -> plain.prepareStatement("VALUES 1"));
        assertThat(lost.getSQLState()).isEqualTo("08003");
        assertThat(after.server().connections()).isPositive();
      }
    } catch (SQLException closing) {
      // What the server forgot cannot be closed.
      assertThat((Throwable) closing).hasMessageContaining("While closing");
    }
  }

  @Test
  void passwordThatOthersCouldReadIsNotTaken() throws Exception {
    Optional<InetAddress> address =
        Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(found -> found instanceof Inet4Address && !found.isLoopbackAddress())
            .findFirst();
    assumeTrue(address.isPresent(), "a machine with a network");
    Map<String, Object> config = new HashMap<>(users());
    config.put("host", "0.0.0.0");
    try (RunningServer wide = RunningServer.start(config)) {
      String url =
          "jdbc:avatica:remote:serialization=protobuf;url=http://%s:%d"
              .formatted(address.get().getHostAddress(), wide.server().port());
      assertThat(catchThrowable(() -> DriverManager.getConnection(url, "rita", "ritarita")))
          .hasMessageContaining("are taken over TLS (https://) and from this machine only");
    }
  }

  @Test
  void manyWrongPasswordsDoNotKeepAKnownUserWaiting() throws Exception {
    try (RunningServer guessed = RunningServer.start(users());
        Connection known =
            DriverManager.getConnection(guessed.jdbcUrl("protobuf"), "rita", "ritarita")) {
      int wrong = 0;
      int refused = 0;
      for (int i = 0; i < 60; i++) {
        String header =
            "Basic "
                + Base64.getEncoder()
                    .encodeToString(("will:guess-" + i).getBytes(StandardCharsets.UTF_8));
        String path = i % 2 == 0 ? "/" : "/state/orders/orders-per-customer/1/order-count";
        String body =
            guessed
                .send(
                    i % 2 == 0 ? "POST" : "GET",
                    path,
                    i % 2 == 0
                        ? STATEMENT.formatted("c").getBytes(StandardCharsets.UTF_8)
                        : new byte[0],
                    "Content-Type",
                    JSON,
                    "Authorization",
                    header)
                .body();
        wrong += body.contains("is wrong") ? 1 : 0;
        refused += body.contains("Too many logins") ? 1 : 0;
      }
      assertThat(wrong + refused).isEqualTo(60);
      assertThat(wrong).isGreaterThanOrEqualTo(PasswordChecks.FREE);
      assertThat(count(known)).isEqualTo("12");
      try (Connection another =
          DriverManager.getConnection(guessed.jdbcUrl("json"), "rita", "ritarita")) {
        assertThat(count(another)).isEqualTo("12");
      }
    }
  }
}
