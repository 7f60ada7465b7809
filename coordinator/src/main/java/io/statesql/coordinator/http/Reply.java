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
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers one request, once and by any thread; without one that waits for the client to read. */
public final class Reply {
  private static final Logger LOG = LoggerFactory.getLogger(Reply.class);
  private static final int LONGEST_ECHO = 100;

  private final Request request;
  private final Response response;
  private final Callback exchange;
  private final long timeoutMillis;
  private final AtomicBoolean isSent = new AtomicBoolean();

  /**
   * @param exchange is told when the request is answered
   * @param timeoutMillis how long the client may take to read the answer
   */
  public Reply(Request request, Response response, Callback exchange, long timeoutMillis) {
    this.request = request;
    this.response = response;
    this.exchange = exchange;
    this.timeoutMillis = timeoutMillis;
  }

  /** What somebody sent, in a form that can be shown. */
  public static String printable(String text) {
    String shown = text.length() > LONGEST_ECHO ? text.substring(0, LONGEST_ECHO) + "..." : text;
    return shown.replaceAll("[^\\x20-\\x7e]", "?");
  }

  /** 202: the message was taken, and there is nothing to say. */
  void accept() {
    send(HttpStatus.ACCEPTED_202, new byte[0]);
  }

  void answer(Object reply) {
    send(HttpStatus.OK_200, Json.write(reply));
  }

  /**
   * Answers with a body of any type.
   *
   * @param headers beside those of every reply; of those that a reply has anyway, these win
   */
  public void answer(int status, Map<String, String> headers, String contentType, byte[] body) {
    if (isSent.compareAndSet(false, true)) {
      headers.forEach(response.getHeaders()::put);
      write(status, contentType, body);
    }
  }

  /**
   * Answers with the reason as JSON. A status 405 tells of POST unless methods are named, and 401
   * asks for a token unless a challenge is set.
   */
  public void refuse(Refusal refusal) {
    HttpFields.Mutable headers = response.getHeaders();
    if (refusal.status() == HttpStatus.METHOD_NOT_ALLOWED_405
        && !headers.contains(HttpHeader.ALLOW)) {
      headers.put(HttpHeader.ALLOW, "POST");
    } else if (refusal.status() == HttpStatus.UNAUTHORIZED_401
        && !headers.contains(HttpHeader.WWW_AUTHENTICATE)) {
      headers.put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
    }
    send(refusal.status(), Json.write(new Messages.ErrorReply(refusal.reason())));
  }

  /** Refuses likewise, without another look at what the client sends, and ends the connection. */
  void refuseAndClose(Refusal refusal) {
    response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
    refuse(refusal);
  }

  /** Ends a request that no answer was made for, because of a defect. */
  void fail(Throwable defect) {
    exchange.failed(defect);
  }

  private void send(int status, byte[] body) {
    if (isSent.compareAndSet(false, true)) {
      write(status, "application/json", body);
    }
  }

  /**
   * Answers with JSON that is made as the client takes it.
   *
   * @param body never waits
   */
  void stream(InputStream body) {
    if (isSent.compareAndSet(false, true)) {
      begin(HttpStatus.OK_200);
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
      send(sent -> Content.copy(Content.Source.from(body), response, sent));
    }
  }

  private void write(int status, String contentType, byte[] body) {
    begin(status);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    if (body.length > 0) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
    }
    send(sent -> response.write(true, ByteBuffer.wrap(body), sent));
  }

  private void begin(int status) {
    HttpFields.Mutable headers = response.getHeaders();
    if (!headers.contains(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString())) {
      // What is left of the body goes, or the connection ends, and the headers say so.
      request.consumeAvailable();
    }
    response.setStatus(status);
    if (!headers.contains(HttpHeader.CACHE_CONTROL)) {
      headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    }
    headers.put("X-Content-Type-Options", "nosniff");
  }

  /**
   * Sends a body without waiting for it.
   *
   * @param sending is told whom to tell when that is done
   */
  private void send(Consumer<Callback> sending) {
    Future<?> tooSlow =
        Deadlines.after(
            timeoutMillis,
            () -> request.fail(new TimeoutException("The reply was read too slowly.")));
    sending.accept(
        Callback.from(
            () -> {
              tooSlow.cancel(false);
              exchange.succeeded();
            },
            failure -> {
              LOG.debug("A reply could not be sent", failure);
              tooSlow.cancel(false);
              exchange.failed(failure);
            }));
  }
}
