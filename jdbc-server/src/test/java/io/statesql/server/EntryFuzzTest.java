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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests that nobody sends by intention: each is answered, or its connection ends; none harms.
 */
final class EntryFuzzTest {
  private static final String COUNT = "/state/orders/orders-per-customer/1/order-count";
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");
  private static final int TIMEOUT_MILLIS = 300_000;
  private static final List<String> SEGMENTS =
      List.of(
          "orders",
          "orders-per-customer",
          "customers",
          "1",
          "order-count",
          "profile",
          "dora",
          "",
          ".",
          "..",
          "%2e%2e",
          "%252e%252e",
          "..%2f..%2f..%2fetc%2fpasswd",
          "..%5c..",
          "%00",
          "%ff",
          "%c0%ae%c0%ae",
          "%",
          "%zz",
          "a;b=c",
          "%25%32%65",
          "%F0%9F%98%80",
          "x".repeat(2000),
          "1e999999999",
          "%7B%22f0%22:" + "[".repeat(300),
          "_timer_state%2Fevent_user-timers",
          "%EF%BB%BF",
          "\u00e4");
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "PUT", "DELETE", "POST", "OPTIONS", "TRACE", "PATCH", "BREW", "get");
  private static final List<String> HEADERS =
      List.of(
          "Accept: application/json",
          "Accept: text/plain;q=,*/*;q=0",
          "Accept: " + "a/b,".repeat(1000),
          "If-Match: \"",
          "If-Match: *, *",
          "If-None-Match: W/\"x\", *",
          "If-Match: " + "\"a\",".repeat(1200),
          "Content-Type: application/json",
          "Content-Type: ;;;",
          "Content-Encoding: gzip",
          "Content-Range: bytes 0-1/2",
          "Prefer: respond-async",
          "Prefer: ,,;=",
          "Idempotency-Key: ../../x",
          "Idempotency-Key: " + "k".repeat(500),
          "Transfer-Encoding: chunked",
          "Transfer-Encoding: chunked, identity",
          "Content-Length: 99999999999999999999",
          "Content-Length: -1",
          "Expect: 100-continue",
          "Expect: everything",
          "Host: evil.example",
          "Origin: http://evil.example",
          "X-Long: " + "y".repeat(9000),
          "Range: bytes=0-1");
  private static final List<String> BODIES =
      List.of(
          "",
          "8",
          "\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0007",
          "[".repeat(5000),
          "{\"a\":".repeat(2000),
          "1e999999999",
          "\u00ff\u00fe",
          "zz\r\nzz\r\n0\r\n\r\n",
          "5\r\n12345\r\n0\r\n\r\n",
          "z".repeat(300_000));

  private static final long SEED = Long.getLong("statesql.seed", 4711);

  @TempDir private Path commits;

  @Test
  void twoThousandDamagedRequestsAreAnsweredInOrder() throws Exception {
    Random random = new Random(SEED);
    Map<Integer, Integer> statuses = new TreeMap<>();
    try (RunningServer server = start()) {
      long before = openFiles();
      for (int i = 0; i < 2000; i++) {
        String request = request(random);
        List<Integer> found = statuses(exchange(server, request));
        assertThat(found)
            .as("%s (seed %s)", request, SEED)
            .allMatch(status -> status < 500 || status == 501);
        found.forEach(status -> statuses.merge(status, 1, Integer::sum));
      }
      assertThat(statuses).containsKeys(200, 400, 403, 404, 405, 412, 415, 431);
      assertHealthy(server);
      assertThat(openFiles()).as("open files").isLessThan(before + 50);
    }
    try (Stream<Path> left = Files.list(commits)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .as("what stands where commits go")
          .allMatch(name -> name.matches("orders-edited-\\d+"));
    }
  }

  private RunningServer start() {
    return RunningServer.start(
        Map.of(
            "writable",
            true,
            "commitTo",
            commits.toString(),
            "limits",
            Map.of("requestBytes", 200_000)));
  }

  private static String request(Random random) {
    StringBuilder path = new StringBuilder("/state");
    boolean isNearlyRight = random.nextBoolean();
    int parts = isNearlyRight ? 4 : random.nextInt(8);
    List<String> right = List.of("orders", "orders-per-customer", "1", "order-count");
    for (int i = 0; i < parts; i++) {
      boolean isRight = isNearlyRight && random.nextInt(4) > 0;
      path.append('/').append(isRight ? right.get(i) : any(SEGMENTS, random));
    }
    if (random.nextInt(10) == 0) {
      path.append("?mount=").append(any(SEGMENTS, random));
    }
    String body = any(BODIES, random);
    StringBuilder request = new StringBuilder();
    request.append(any(METHODS, random)).append(' ').append(path).append(" HTTP/1.1\r\n");
    request.append("Host: localhost\r\nConnection: close\r\n");
    for (int i = random.nextInt(3); i > 0; i--) {
      request.append(any(HEADERS, random)).append("\r\n");
    }
    if (random.nextInt(8) > 0) {
      request.append("Content-Length: ").append(body.length()).append("\r\n");
    }
    request.append("\r\n").append(body);
    return request.toString();
  }

  private static String any(List<String> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }

  /** Sends bytes, one for each character, and reads what comes until the server is done. */
  private static String exchange(RunningServer server, String request) throws IOException {
    try (Socket socket = connect(server)) {
      try {
        OutputStream out = socket.getOutputStream();
        out.write(request.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
        socket.shutdownOutput();
      } catch (SocketException e) {
        // It refused before it read everything; its answer may be there all the same.
      }
      return read(socket);
    }
  }

  private static Socket connect(RunningServer server) throws IOException {
    Socket socket = new Socket("localhost", URI.create(server.server().url()).getPort());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  private static String read(Socket socket) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      InputStream in = socket.getInputStream();
      in.transferTo(all);
    } catch (SocketException e) {
      // The rest of its answer is lost with the connection.
    }
    return all.toString(StandardCharsets.ISO_8859_1);
  }

  private static List<Integer> statuses(String answer) {
    List<Integer> statuses = new ArrayList<>();
    Matcher status = STATUS.matcher(answer);
    while (status.find()) {
      statuses.add(Integer.parseInt(status.group(1)));
    }
    return statuses;
  }

  @Test
  void clientsThatAreSlowOrGoAwayHoldNobodyUp() throws Exception {
    String head = "PUT " + COUNT + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n";
    List<Socket> slow = new ArrayList<>();
    try (RunningServer server = start()) {
      // More than the server has threads; of complete requests, which a user may have so many of at
      // once, fewer.
      for (int i = 0; i < 300; i++) {
        Socket socket = connect(server);
        slow.add(socket);
        String part =
            switch (i % 4) {
              case 0 -> "PUT " + COUNT;
              case 1 -> head + "Content-Length: 100\r\n\r\n1";
              case 2 -> head + "Transfer-Encoding: chunked\r\n\r\n5\r\n1";
              default -> "GET " + COUNT + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
            };
        socket.getOutputStream().write(part.getBytes(StandardCharsets.ISO_8859_1));
      }
      assertHealthy(server);
      for (Socket socket : slow.subList(0, 150)) {
        socket.close();
      }
      assertHealthy(server);
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
    assertThat(commits).isEmptyDirectory();
  }

  private static void assertHealthy(RunningServer server) throws Exception {
    assertThat(server.send("GET", COUNT, new byte[0], "Accept", "text/plain").statusCode())
        .isIn(200, 404);
  }

  private static long openFiles() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return 0;
    }
    try (Stream<Path> open = Files.list(descriptors)) {
      return open.count();
    }
  }
}
