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

import io.statesql.coordinator.wire.Json;
import io.statesql.coordinator.wire.Messages;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** What Jetty itself refuses, in the form of our own errors and without its details. */
final class JsonErrorHandler implements Request.Handler {
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    String reason = HttpStatus.getMessage(response.getStatus()) + ".";
    byte[] body = Json.write(new Messages.ErrorReply(reason));
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    if (response.getStatus() != HttpStatus.NOT_FOUND_404) {
      // Where such a request ends, and the next one begins, may not be known.
      response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
    }
    response.write(true, ByteBuffer.wrap(body), callback);
    return true;
  }
}
