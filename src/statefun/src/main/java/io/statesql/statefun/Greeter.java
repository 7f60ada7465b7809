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
package io.statesql.statefun;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.statefun.sdk.FunctionType;
import org.apache.flink.statefun.sdk.reqreply.generated.FromFunction;
import org.apache.flink.statefun.sdk.reqreply.generated.FromFunction.ExpirationSpec;
import org.apache.flink.statefun.sdk.reqreply.generated.FromFunction.ExpirationSpec.ExpireMode;
import org.apache.flink.statefun.sdk.reqreply.generated.FromFunction.PersistedValueMutation;
import org.apache.flink.statefun.sdk.reqreply.generated.FromFunction.PersistedValueSpec;
import org.apache.flink.statefun.sdk.reqreply.generated.ToFunction;
import org.apache.flink.statefun.sdk.reqreply.generated.TypedValue;

/**
 * A remote function, and the endpoint that serves it, by the protocol itself: it has a value of each
 * of Stateful Functions' own types and one of the user's. With the id {@code zero} the values are
 * those that protobuf writes as no bytes at all.
 */
final class Greeter implements Closeable {
  static final FunctionType TYPE = new FunctionType("shop.example", "greeter");

  private static final String OWN_TYPES = "io.statefun.types/";
  private static final Map<String, String> TYPES = types();
  private static final long YEARS = 3650L * 24 * 60 * 60 * 1000;

  private final HttpServer server;

  Greeter() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  private static Map<String, String> types() {
    Map<String, String> types = new LinkedHashMap<>();
    types.put("seen", OWN_TYPES + "int");
    types.put("total", OWN_TYPES + "long");
    types.put("known", OWN_TYPES + "bool");
    types.put("share", OWN_TYPES + "float");
    types.put("ratio", OWN_TYPES + "double");
    types.put("greeting", OWN_TYPES + "string");
    types.put("visited", OWN_TYPES + "string");
    types.put("profile", "shop.example/profile");
    return types;
  }

  URI uri() {
    return URI.create("http://localhost:" + server.getAddress().getPort() + "/");
  }

  private void answer(HttpExchange exchange) throws IOException {
    ToFunction request = ToFunction.parseFrom(exchange.getRequestBody());
    byte[] reply = reply(request.getInvocation()).toByteArray();
    exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
    exchange.sendResponseHeaders(200, reply.length);
    exchange.getResponseBody().write(reply);
    exchange.close();
  }

  private static FromFunction reply(ToFunction.InvocationBatchRequest invocation) {
    if (invocation.getStateCount() < TYPES.size()) {
      return FromFunction.newBuilder().setIncompleteInvocationContext(specifications()).build();
    }
    String id = invocation.getTarget().getId();
    FromFunction.InvocationResponse.Builder response =
        FromFunction.InvocationResponse.newBuilder();
    TYPES.forEach(
        (name, type) ->
            response.addStateMutations(
                PersistedValueMutation.newBuilder()
                    .setMutationType(PersistedValueMutation.MutationType.MODIFY)
                    .setStateName(name)
                    .setStateValue(
                        TypedValue.newBuilder()
                            .setTypename(type)
                            .setHasValue(true)
                            .setValue(id.equals("zero") ? ByteString.EMPTY : value(name, id)))));
    return FromFunction.newBuilder().setInvocationResult(response).build();
  }

  private static FromFunction.IncompleteInvocationContext specifications() {
    FromFunction.IncompleteInvocationContext.Builder all =
        FromFunction.IncompleteInvocationContext.newBuilder();
    TYPES.forEach(
        (name, type) -> {
          PersistedValueSpec.Builder one =
              PersistedValueSpec.newBuilder().setStateName(name).setTypeTypename(type);
          if (name.equals("visited")) {
            one.setExpirationSpec(
                ExpirationSpec.newBuilder()
                    .setMode(ExpireMode.AFTER_INVOKE)
                    .setExpireAfterMillis(YEARS));
          }
          all.addMissingValues(one);
        });
    return all.build();
  }

  /** As the wrappers of Stateful Functions' own types are written, each with one field. */
  private static ByteString value(String name, String id) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      switch (name) {
        case "seen" -> out.writeSFixed32(1, -id.length());
        case "total" -> out.writeSFixed64(1, 10_000_000_000L + id.length());
        case "known" -> out.writeBool(1, true);
        case "share" -> out.writeFloat(1, 0.25f);
        case "ratio" -> out.writeDouble(1, id.length() / 8.0);
        case "greeting" -> out.writeString(1, "Grüß Gott, " + id);
        case "visited" -> out.writeString(1, "/" + id);
        default -> out.writeRawBytes(("{\"name\":\"" + id + "\"}").getBytes("UTF-8"));
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteString.copyFrom(bytes.toByteArray());
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
