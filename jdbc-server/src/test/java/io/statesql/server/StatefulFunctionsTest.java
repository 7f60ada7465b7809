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

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A savepoint of Stateful Functions 3.3 ({@code src/statefun}) over HTTP and in SQL. */
final class StatefulFunctionsTest {
  private static final String SHOP =
      Path.of("..", "src", "statefun", "snapshots", "shop").toAbsolutePath().normalize().toString();
  private static final String GREETER = "/state/shop.example/greeter/";
  private static final String BASKET = "/state/shop.example/basket/";

  @TempDir private static Path commits;

  private static RunningServer server;

  @BeforeAll
  static void start() {
    server =
        RunningServer.start(
            Map.of(
                "snapshots",
                List.of(SHOP, RunningServer.ORDERS.toString()),
                "writable",
                true,
                "commitTo",
                commits.toString()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "seen | int | 0dfcffffff | -4",
        "total | long | 0904e40b5402000000 | 10000000004",
        "known | bool | 0801 | true",
        "share | float | 0d0000803e | 0.25",
        "ratio | double | 09000000000000e03f | 0.5",
        "greeting | string | 0a11 4772c3bcc39f20476f74742c20616e6e61 | \"Grüß Gott, anna\"",
        "visited | string | 0a05 2f616e6e61 | \"/anna\"",
      })
  void remoteValueIsItsBytesAndDecodesByItsType(
      String state, String type, String bytes, String json) throws Exception {
    HttpResponse<byte[]> value = server.getBytes(GREETER + "anna/" + state);

    assertThat(value.headers().firstValue("Content-Type"))
        .hasValue("statefun/io.statefun.types/" + type);
    assertThat(HexFormat.of().formatHex(value.body())).isEqualTo(bytes.replace(" ", ""));
    assertThat(get(GREETER + "anna/" + state, "application/json").body()).isEqualTo(json);
  }

  @ParameterizedTest
  @CsvSource({
    "seen,0",
    "total,0",
    "known,false",
    "share,0.0",
    "ratio,0.0",
    "greeting,\"\"\"\"\"\""
  })
  void valueWithoutBytesIsThere(String state, String json) throws Exception {
    assertThat(server.getBytes(GREETER + "zero/" + state).body()).isEmpty();
    assertThat(get(GREETER + "zero/" + state, "application/json").body())
        .isEqualTo(json.replace("\"\"\"\"\"\"", "\"\""));
  }

  @Test
  void typeOfTheUserIsItsBytes() throws Exception {
    HttpResponse<String> profile =
        get(GREETER + "%E6%9D%8E%E9%9B%B7/profile", "statefun/shop.example/profile");

    assertThat(profile.headers().firstValue("Content-Type"))
        .hasValue("statefun/shop.example/profile");
    assertThat(profile.body()).isEqualTo("{\"name\":\"李雷\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "count | 4",
        "last-product | \"tea\"",
        "items | {\"mug\":1,\"tea\":2,\"coffee\":1}",
        "history | [\"tea\",\"coffee\",\"mug\",\"tea\"]",
      })
  void embeddedFunctionsKeepFlinksTypes(String state, String json) throws Exception {
    assertThat(get(BASKET + "a%2Fb/" + state, "application/json").body()).isEqualTo(json);
  }

  @Test
  void protobufDecodesByTheDescriptorsInTheSnapshot() throws Exception {
    HttpResponse<String> layout = get(BASKET + "anna/layout", "application/json");

    assertThat(layout.body())
        .startsWith("{\"name\":\"anna\",\"fields\":[{\"kind\":\"TYPE_STRING\",")
        .contains("\"number\":2,\"name\":\"coffee\"", "\"packed\":true")
        .contains("\"oneofs\":[\"tea\",\"coffee\",\"mug\",\"tea\"]")
        .contains("\"source_context\":null,\"syntax\":\"SYNTAX_PROTO3\"");
    byte[] bytes = server.getBytes(BASKET + "anna/layout").body();
    assertThat(com.google.protobuf.Type.parseFrom(bytes).getOneofsList())
        .containsExactly("tea", "coffee", "mug", "tea");
  }

  @Test
  void functionsAreFoundInTheMountThatIsNamed() throws Exception {
    assertThat(get(BASKET + "anna/count?mount=shop", "text/plain").body()).isEqualTo("4");
    assertThat(get(BASKET + "anna/count?mount=orders", "text/plain").statusCode()).isEqualTo(404);
    assertThat(
            get("/state/shop/functions_uid1/anna/shop.example.basket.count", "text/plain").body())
        .isEqualTo("4");
    assertThat(get("/state/shop.example/nobody/anna/count", "text/plain").statusCode())
        .isEqualTo(404);
    assertThat(get(BASKET + "nobody/count", "text/plain").statusCode()).isEqualTo(404);
  }

  @Test
  void valuesArePutInTheirStoredType() throws Exception {
    put(GREETER + "boris/greeting", "statefun/io.statefun.types/string", "\n\u0002Hi");
    put(GREETER + "boris/seen", "application/json", "-7");
    put(GREETER + "boris/profile", "application/octet-stream", "anything");
    put(BASKET + "boris/items", "application/json", "{\"cup\":3}");
    String layout =
        get(BASKET + "anna/layout", "application/json").body().replace("\"anna\"", "\"boris\"");
    put(BASKET + "boris/layout", "application/json", layout);

    assertThat(get(GREETER + "boris/greeting", "text/plain").body()).isEqualTo("Hi");
    assertThat(server.getBytes(GREETER + "boris/seen").body())
        .isEqualTo(HexFormat.of().parseHex("0df9ffffff"));
    assertThat(get(GREETER + "boris/profile", "*/*").body()).isEqualTo("anything");
    assertThat(get(BASKET + "boris/items", "application/json").body()).isEqualTo("{\"cup\":3}");
    assertThat(com.google.protobuf.Type.parseFrom(server.getBytes(BASKET + "boris/layout").body()))
        .isEqualTo(
            com.google.protobuf.Type.parseFrom(server.getBytes(BASKET + "anna/layout").body())
                .toBuilder()
                .setName("boris")
                .build());
    assertThat(
            server
                .send(
                    "PUT",
                    GREETER + "boris/seen",
                    new byte[] {1, 2, 3},
                    "Content-Type",
                    "statefun/io.statefun.types/int")
                .statusCode())
        .isEqualTo(415);
    assertThat(
            server
                .send(
                    "PUT",
                    GREETER + "boris/seen",
                    new byte[] {0x0d, 1, 0, 0, 0},
                    "Content-Type",
                    "statefun/io.statefun.types/long")
                .statusCode())
        .isEqualTo(415);
  }

  @Test
  void functionsStateIsTablesAndTheirBookKeepingIsMarked() throws SQLException {
    try (Connection connection = server.connect()) {
      assertThat(
              RunningServer.rows(
                  connection,
                  "SELECT state_key, state_value FROM functions_uid1.\"shop.example.greeter.total\""
                      + " WHERE state_key IN ('anna', 'zero') ORDER BY 1"))
          .containsExactly(List.of("anna", "10000000004"), List.of("zero", "0"));
      assertThat(
              RunningServer.rows(
                  connection,
                  "SELECT state_name FROM states WHERE schema_name = 'functions_uid1'"
                      + " AND is_internal ORDER BY 1"))
          .containsExactly(
              List.of("_timer_state/event_delayed-messages-timer-service"),
              List.of("_timer_state/processing_delayed-messages-timer-service"),
              List.of("asyncOperations"),
              List.of("delayed-message-index"),
              List.of("delayed-messages-buffer"),
              List.of("shop.example.greeter.batch"),
              List.of("shop.example.greeter.request-state"));
      assertThat(
              RunningServer.rows(
                  connection, "SELECT COUNT(*) FROM functions_uid1.\"delayed-messages-buffer\""))
          .containsExactly(List.of("8"));
    }
  }

  private static void put(String path, String type, String body) throws Exception {
    HttpResponse<String> response =
        server.send("PUT", path, body.getBytes(StandardCharsets.UTF_8), "Content-Type", type);
    assertThat(response.statusCode()).as(response.body()).isIn(200, 201);
  }

  private static HttpResponse<String> get(String path, String accept) throws Exception {
    return server.send("GET", path, new byte[0], "Accept", accept);
  }
}
