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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.calcite.avatica.proto.Common;
import org.apache.calcite.avatica.proto.Requests;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are damaged or made up. */
class MalformedRequestsTest {
  private static RunningServer server;

  @BeforeAll
  static void start() {
    server = RunningServer.start(Map.of("limits", Map.of("connections", 200)));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}",
        "[]",
        "null",
        "{\"request\":\"nothing\"}",
        "{\"request\":\"execute\"}",
        "{\"request\":\"openConnection\",\"connectionId\":{}}",
        "{\"request\":\"@class\",\"x\":[\"java.lang.Runtime\"]}",
        "GET",
        "\u0000\u0000",
      })
  void messageThatIsNoneGets400(String message) throws Exception {
    HttpResponse<String> reply = server.send(message, "Content-Type", "application/octet-stream");

    assertThat(reply.statusCode()).as(reply.body()).isEqualTo(400);
  }

  private static List<byte[]> validMessages() {
    List<byte[]> messages = new ArrayList<>();
    for (String json :
        List.of(
            "{\"request\":\"openConnection\",\"connectionId\":\"a\",\"info\":{\"x\":\"y\"}}",
            "{\"request\":\"createStatement\",\"connectionId\":\"a\"}",
            "{\"request\":\"prepareAndExecute\",\"connectionId\":\"a\",\"statementId\":1,"
                + "\"sql\":\"VALUES 1\",\"maxRowsTotal\":-1,\"maxRowsInFirstFrame\":10}",
            "{\"request\":\"prepare\",\"connectionId\":\"a\",\"sql\":\"VALUES ?\",\"maxRowCount\":-1}",
            "{\"request\":\"execute\",\"statementHandle\":{\"connectionId\":\"a\",\"id\":1},"
                + "\"parameterValues\":[{\"type\":\"LONG\",\"value\":1}],\"maxRowCount\":10}",
            "{\"request\":\"fetch\",\"connectionId\":\"a\",\"statementId\":1,\"offset\":0,"
                + "\"fetchMaxRowCount\":10}",
            "{\"request\":\"connectionSync\",\"connectionId\":\"a\",\"connProps\":"
                + "{\"connProps\":\"connPropsImpl\",\"autoCommit\":true,\"dirty\":true}}",
            "{\"request\":\"getTables\",\"connectionId\":\"a\",\"schemaPattern\":\"sys\"}",
            "{\"request\":\"closeStatement\",\"connectionId\":\"a\",\"statementId\":1}")) {
      messages.add(json.getBytes(StandardCharsets.UTF_8));
    }
    messages.add(
        wire(
            "OpenConnectionRequest",
            Requests.OpenConnectionRequest.newBuilder().setConnectionId("a").build()));
    messages.add(
        wire(
            "PrepareAndExecuteRequest",
            Requests.PrepareAndExecuteRequest.newBuilder()
                .setConnectionId("a")
                .setStatementId(1)
                .setSql("VALUES 1")
                .build()));
    messages.add(
        wire(
            "ConnectionSyncRequest",
            Requests.ConnectionSyncRequest.newBuilder().setConnectionId("a").build()));
    return messages;
  }

  private static byte[] wire(String name, Message message) {
    return Common.WireMessage.newBuilder()
        .setName("org.apache.calcite.avatica.proto.Requests$" + name)
        .setWrappedMessage(message.toByteString())
        .build()
        .toByteArray();
  }

  private static byte[] damage(byte[] message, Random random) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int at = random.nextInt(message.length);
    int length = 1 + random.nextInt(8);
    out.write(message, 0, at);
    switch (random.nextInt(4)) {
      case 0 -> out.write(random.nextInt(256));
      case 1 -> {
        byte[] noise = new byte[length];
        random.nextBytes(noise);
        out.writeBytes(noise);
      }
      case 2 -> {
        return out.toByteArray();
      }
      default -> out.write(message, at, Math.min(length, message.length - at));
    }
    int from = Math.min(message.length, at + random.nextInt(length + 1));
    out.write(message, from, message.length - from);
    return out.toByteArray();
  }

  private static void assertOrderlyAnswer(byte[] message) throws Exception {
    HttpResponse<String> reply =
        server.send("POST", "/", message, "Content-Type", "application/octet-stream");
    String shown = HexFormat.of().formatHex(message) + "\n" + reply.body();
    assertThat(reply.statusCode()).as(shown).isIn(200, 400, 500);
    assertThat(reply.body()).as(shown).doesNotContain("XX000", "\tat ");
  }

  private static void damageMessages(int count, long seed) throws Exception {
    Random random = new Random(seed);
    List<byte[]> messages = validMessages();
    for (int i = 0; i < count; i++) {
      assertOrderlyAnswer(damage(messages.get(random.nextInt(messages.size())), random));
    }
    try (Connection connection = server.connect()) {
      assertThat(RunningServer.rows(connection, "VALUES 1")).hasSize(1);
    }
    assertThat(server.server().connections()).isLessThan(count);
  }

  @Test
  void hundredDamagedMessagesAreAnsweredInOrder() throws Exception {
    damageMessages(100, 1);
  }

  @Tag("proof")
  @Test
  void fiveThousandDamagedMessagesAreAnsweredInOrder() throws Exception {
    damageMessages(5000, Long.getLong("statesql.seed", 2));
  }

  /** Each part of each message in turn is missing, or something else. */
  @Test
  void partThatIsMissingOrAnotherIsToldOf() throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    for (byte[] message : validMessages()) {
      if (message[0] != '{') {
        continue;
      }
      JsonNode whole = mapper.readTree(message);
      List<String> names = new ArrayList<>();
      whole.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        for (JsonNode other :
            List.of(
                mapper.nullNode(),
                mapper.missingNode(),
                mapper.getNodeFactory().numberNode(-5),
                mapper.getNodeFactory().textNode("x\u0000é"),
                mapper.createArrayNode().addNull())) {
          ObjectNode changed = whole.deepCopy();
          if (other.isMissingNode()) {
            changed.remove(name);
          } else {
            changed.set(name, other);
          }
          assertOrderlyAnswer(mapper.writeValueAsBytes(changed));
        }
      }
    }
  }
}
