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
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.servlet.AsyncContext;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.HttpOutput;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers one request, once; without a thread that waits for the client to read. A request is
 * answered by the thread that brought it, unless it was detached from that.
 */
public final class Reply {
  private static final Logger LOG = LoggerFactory.getLogger(Reply.class);
  private static final String CHALLENGE = "WWW-Authenticate";
  private static final String ALLOW = "Allow";
  private static final String CACHE_CONTROL = "Cache-Control";
  private static final int LONGEST_ECHO = 100;

  /** Fits into Jetty's own buffer, so that writing it does not wait. */
  private static final int MAX_DIRECT = 8 * 1024;

  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final long timeoutMillis;
  private final AtomicBoolean isSent = new AtomicBoolean();

  /** Null until it is detached, which happens before any other thread sees this. */
  private AsyncContext exchange;

  /**
   * @param timeoutMillis how long the client may take to read the answer, where it is long
   */
  public Reply(HttpServletRequest request, HttpServletResponse response, long timeoutMillis) {
    this.request = request;
    this.response = response;
    this.timeoutMillis = timeoutMillis;
  }

  /** From now on the request may be answered by any thread. A second time does nothing. */
  public AsyncContext detach() {
    if (exchange == null) {
      exchange = request.startAsync();
      // What a client may be slow in has deadlines of its own.
      exchange.setTimeout(0);
    }
    return exchange;
  }

  /** What somebody sent, in a form that can be shown. */
  public static String printable(String text) {
    String shown = text.length() > LONGEST_ECHO ? text.substring(0, LONGEST_ECHO) + "..." : text;
    return shown.replaceAll("[^\\x20-\\x7e]", "?");
  }

  /** 202: the message was taken, and there is nothing to say. */
  void accept() {
    send(HttpServletResponse.SC_ACCEPTED, new byte[0]);
  }

  void answer(Object reply) {
    send(HttpServletResponse.SC_OK, Json.write(reply));
  }

  /**
   * Answers with a body of any type.
   *
   * @param headers beside those of every reply; of those that a reply has anyway, these win
   */
  public void answer(int status, Map<String, String> headers, String contentType, byte[] body) {
    if (isSent.compareAndSet(false, true)) {
      headers.forEach(response::setHeader);
      write(status, contentType, body);
    }
  }

  /**
   * Answers with the reason as JSON. A status 405 tells of POST unless methods are named, and 401
   * asks for a token unless a challenge is set.
   */
  public void refuse(Refusal refusal) {
    if (refusal.status() == HttpServletResponse.SC_METHOD_NOT_ALLOWED
        && !response.containsHeader(ALLOW)) {
      response.setHeader(ALLOW, "POST");
    } else if (refusal.status() == HttpServletResponse.SC_UNAUTHORIZED
        && !response.containsHeader(CHALLENGE)) {
      response.setHeader(CHALLENGE, "Bearer");
    }
    send(refusal.status(), Json.write(new Messages.ErrorReply(refusal.reason())));
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
      begin(HttpServletResponse.SC_OK);
      contentType("application/json");
      sendDetached(detach(), (output, sent) -> output.sendContent(body, sent));
    }
  }

  private void begin(int status) {
    response.setStatus(status);
    if (!response.containsHeader(CACHE_CONTROL)) {
      response.setHeader(CACHE_CONTROL, "no-store");
    }
    response.setHeader("X-Content-Type-Options", "nosniff");
  }

  /** As it is: the setter of the response would spell a charset in its own way. */
  private void contentType(String type) {
    Request.getBaseRequest(request)
        .getResponse()
        .getHttpFields()
        .put(HttpHeader.CONTENT_TYPE, type);
  }

  private void write(int status, String contentType, byte[] body) {
    begin(status);
    response.setContentLength(body.length);
    if (body.length > 0) {
      contentType(contentType);
    }
    if (exchange == null && body.length <= MAX_DIRECT) {
      sendDirectly(body);
    } else {
      sendDetached(detach(), (output, sent) -> output.sendContent(ByteBuffer.wrap(body), sent));
    }
  }

  private void sendDirectly(byte[] body) {
    try {
      response.getOutputStream().write(body);
    } catch (IOException e) {
      LOG.debug("A reply could not be sent", e);
    }
  }

  /** Sends a body without waiting for it, and tells when that is done. */
  @FunctionalInterface
  private interface Sending {
    void start(HttpOutput output, Callback sent);
  }

  private void sendDetached(AsyncContext detached, Sending sending) {
    Future<?> tooSlow =
        Deadlines.after(
            timeoutMillis,
            () ->
                Request.getBaseRequest(request)
                    .getHttpChannel()
                    .abort(new TimeoutException("The reply was read too slowly.")));
    try {
      sending.start(
          (HttpOutput) response.getOutputStream(),
          new Callback() {
            @Override
            public void succeeded() {
              tooSlow.cancel(false);
              detached.complete();
            }

            @Override
            public void failed(Throwable failure) {
              LOG.debug("A reply could not be sent", failure);
              tooSlow.cancel(false);
              detached.complete();
            }
          });
    } catch (IOException e) {
      tooSlow.cancel(false);
      LOG.debug("A reply could not be sent", e);
      detached.complete();
    }
  }
}
