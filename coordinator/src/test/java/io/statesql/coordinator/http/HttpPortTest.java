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
package io.statesql.coordinator.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/** What holds of every server, whatever it serves. */
class HttpPortTest {
  @Test
  void answerThatTakesLongerThanConnectionsMayBeSilentIsSent() throws Exception {
    Handler slow =
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) {
            Reply reply = new Reply(request, response, callback, 30_000);
            byte[] body = "done".getBytes(StandardCharsets.UTF_8);
            // Only from now on, for the client may be slow to send its request.
            request.getConnectionMetaData().getConnection().getEndPoint().setIdleTimeout(20);
            var unused =
                Deadlines.after(500, () -> reply.answer(200, Map.of(), "text/plain", body));
            return true;
          }
        };
    HttpPort.Settings settings =
        new HttpPort.Settings("A server", "localhost", 0, 8, 30_000, Optional.empty());
    try (HttpPort port = new HttpPort(settings, slow)) {
      port.start();
      HttpRequest request = HttpRequest.newBuilder(URI.create(port.url())).build();
      HttpResponse<String> answer =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.body()).isEqualTo("done");
    }
  }
}
