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
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Single entries of the sample over HTTP: what can be read, in which form, and what is refused. */
final class EntryReadTest {
  private static final String COUNT = "/state/orders/orders-per-customer/1/order-count";

  private static RunningServer server;

  @BeforeAll
  static void start() {
    server = RunningServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "orders-per-customer/1/order-count | 8",
        "orders-per-customer/1/order-ids | [1007,1012,1029,1046,1051,1068,1073,1090]",
        "orders-per-customer/1/latest-per-day"
            + " | {\"2026-02-28\":{\"f0\":1073,\"f1\":\"お茶\"},\"2026-03-01\":{\"f0\":1090,\"f1\":\"tea\"}}",
        "page-visits/dora/last-page | \"/mug\"",
        "customers/%E6%9D%8E%E9%9B%B7/last-channel | \"APP\"",
        "customers/%F0%9F%98%80%20ivan/first-order-date | \"2026-02-28\"",
        "orders-per-store/%7B%22country%22:%22DE%22,%22channel%22:%22APP%22%7D/revenue-in-cents"
            + " | 7280",
      })
  void keyIsPercentEncodedAndCompositeKeysAreJson(String address, String json) throws Exception {
    HttpResponse<String> response = get("/state/orders/" + address, "Accept", "application/json");

    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.body()).isEqualTo(json);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
  }

  @Test
  void operatorHasItsIdForAName() throws Exception {
    String id = io.statesql.snapshot.OperatorId.ofUid("orders-per-customer").hex();

    assertThat(get("/state/orders/" + id + "/1/order-count", "Accept", "text/plain").body())
        .isEqualTo("8");
  }

  @Test
  void bytesAreThoseOfFlinksSerializer() throws Exception {
    HttpResponse<byte[]> value = server.getBytes(COUNT);
    assertThat(value.headers().firstValue("Content-Type")).hasValue("application/octet-stream");
    assertThat(HexFormat.of().formatHex(value.body())).isEqualTo("0000000000000008");

    byte[] list = server.getBytes("/state/orders/orders-per-customer/1/order-ids").body();
    DataInputDeserializer in = new DataInputDeserializer(list);
    assertThat(new ListSerializer<>(LongSerializer.INSTANCE).deserialize(in))
        .hasSize(8)
        .startsWith(1007L);
    assertThat(in.available()).isZero();
  }

  @Test
  void bytesHaveNoTimesOfLastAccess() throws Exception {
    byte[] pages = server.getBytes("/state/orders/page-visits/dora/pages").body();
    assertThat(
            new ListSerializer<>(StringSerializer.INSTANCE)
                .deserialize(new DataInputDeserializer(pages)))
        .isNotEmpty()
        .allMatch(page -> page.startsWith("/"));

    byte[] visits = server.getBytes("/state/orders/page-visits/dora/visits-per-page").body();
    assertThat(
            new MapSerializer<>(
                    StringSerializer.INSTANCE,
                    org.apache.flink.api.common.typeutils.base.IntSerializer.INSTANCE)
                .deserialize(new DataInputDeserializer(visits)))
        .containsEntry("/tea", 2);
  }

  @Test
  void textIsTextUnlessItsBytesAreAsked() throws Exception {
    String page = "/state/orders/page-visits/dora/last-page";

    HttpResponse<String> text = get(page);
    assertThat(text.body()).isEqualTo("/mug");
    assertThat(text.headers().firstValue("Content-Type")).hasValue("text/plain; charset=UTF-8");

    byte[] bytes = server.getBytes(page, "Accept", "application/octet-stream").body();
    assertThat(StringSerializer.INSTANCE.deserialize(new DataInputDeserializer(bytes)))
        .isEqualTo("/mug");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/* | application/octet-stream",
        "text/html, */*;q=0.1 | application/octet-stream",
        "application/json;q=0.5, text/plain;q=0.9 | text/plain; charset=UTF-8",
        "application/* | application/octet-stream",
        "application/*;q=0.2, application/json;q=0.3 | application/json",
        "text/* | text/plain; charset=UTF-8",
      })
  void clientChoosesTheForm(String accept, String contentType) throws Exception {
    assertThat(get(COUNT, "Accept", accept).headers().firstValue("Content-Type"))
        .hasValue(contentType);
  }

  @Test
  void formThatCannotBeHadIsRefused() throws Exception {
    assertThat(get(COUNT, "Accept", "image/png").statusCode()).isEqualTo(406);
    assertThat(get(COUNT, "Accept", "text/plain;q=2").statusCode()).isEqualTo(400);
  }

  @Test
  void tagTellsThatNothingChanged() throws Exception {
    HttpResponse<String> first = get(COUNT);
    String tag = first.headers().firstValue("ETag").orElseThrow();
    assertThat(tag).matches("\"[0-9a-f]{32}\"");

    HttpResponse<String> again = get(COUNT, "If-None-Match", "\"other\", W/" + tag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(again.headers().firstValue("ETag")).hasValue(tag);
    assertThat(get(COUNT, "If-None-Match", "*").statusCode()).isEqualTo(304);
    assertThat(get(COUNT, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
    assertThat(get(COUNT, "If-Match", "\"other\"").statusCode()).isEqualTo(412);
    assertThat(get(COUNT, "If-None-Match", "other").statusCode()).isEqualTo(400);
    assertThat(get(COUNT, "Accept", "text/plain").headers().firstValue("ETag"))
        .as("the tag of another representation")
        .isPresent()
        .isNotEqualTo(first.headers().firstValue("ETag"));
  }

  @Test
  void headHasTheHeadersAlone() throws Exception {
    HttpResponse<String> head = server.send("HEAD", COUNT, new byte[0]);

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValue("Content-Length")).hasValue("8");
    assertThat(head.headers().firstValue("ETag"))
        .isEqualTo(get(COUNT).headers().firstValue("ETag"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/state/orders/customers/nobody/profile | 404 | The key nobody has nothing in state profile.",
        "/state/orders/nothing/1/order-count | 404 | There is no operator nothing in orders.",
        "/state/orders/customers/dora/nothing | 404 | has no keyed state nothing",
        "/state/orders/order-intake/1/lane-progress | 404 | has no keyed state lane-progress",
        "/state/shop/basket/dora/total | 404 | holds no Stateful Functions",
        "/state/orders/customers/dora/profile?mount=nothing | 404 | Nothing is mounted as nothing.",
        "/state/orders/customers/dora/profile?a=b | 400 | The query may be mount=NAME",
        "/state/orders/customers/dora | 400 | this one has 3 parts",
        "/state/orders/customers/dora/profile/ | 400 | this one has 5 parts",
        "/state/ | 400 | this one has 1 part.",
        "/state/orders/customers/%C3%28/profile | 400 | is not percent-encoded UTF-8",
        "/state/orders/orders-per-customer/one/order-count | 400 | must be a number",
        "/state/orders/orders-per-customer/1.5/order-count | 400 | is not a value of type BIGINT",
        "/state/orders/orders-per-store/%7B%7D/revenue-in-cents | 400 | lacks the field",
        "/state/orders/orders-per-store/APP/revenue-in-cents | 400 | The text is not JSON",
        "/state/orders/order-batches/a/count | 400 | which only SQL can address",
        "/state/orders/customers/dora/_timer_state%2Fevent_user-timers | 400 | holds timers",
      })
  void badAddressGetsAReason(String path, int status, String reason) throws Exception {
    HttpResponse<String> response = get(path);

    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.body()).contains(reason).startsWith("{\"error\":");
  }

  @Test
  void pageOfAnotherSiteIsKeptOut() throws Exception {
    assertThat(get(COUNT, "Sec-Fetch-Site", "cross-site").statusCode()).isEqualTo(403);
    assertThat(get(COUNT, "Sec-Fetch-Site", "none").statusCode()).isEqualTo(200);
  }

  @Test
  void otherMethodsAreNamed() throws Exception {
    HttpResponse<String> response =
        server.send("POST", COUNT, "x".getBytes(StandardCharsets.UTF_8));

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).hasValue("GET, HEAD, PUT, DELETE");
  }

  @Test
  void secondMountIsAddressedByItsName() throws Exception {
    String orders = RunningServer.ORDERS.toString();
    try (RunningServer two =
        RunningServer.start(Map.of("snapshots", List.of("a=" + orders, "b=" + orders)))) {
      String entry = "/orders-per-customer/1/order-count";
      for (String mount : List.of("a", "b")) {
        assertThat(
                two.send("GET", "/state/" + mount + entry, new byte[0], "Accept", "text/plain")
                    .body())
            .isEqualTo("8");
      }
      assertThat(two.send("GET", "/state/c" + entry, new byte[0]).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void readerMayReadAndAStrangerMayNot() throws Exception {
    Map<String, String> rita =
        Map.of("name", "rita", "password", PasswordHash.of("secret").toString(), "role", "reader");
    try (RunningServer guarded = RunningServer.start(Map.of("users", List.of(rita)))) {
      assertThat(guarded.send("GET", COUNT, new byte[0]).statusCode()).isEqualTo(401);
      assertThat(
              guarded
                  .send("GET", COUNT, new byte[0], "Authorization", basic("rita", "secret"))
                  .statusCode())
          .isEqualTo(200);
    }
  }

  private static String basic(String user, String password) {
    return "Basic "
        + java.util.Base64.getEncoder()
            .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  private static HttpResponse<String> get(String path, String... headers) throws Exception {
    return server.send("GET", path, new byte[0], headers);
  }
}
