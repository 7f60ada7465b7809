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

import java.io.IOException;
import java.util.Arrays;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.http.HttpServletRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the body of a request as it comes. One that is too long is read on for a while and
 * thrown away, because most clients look for an answer only after they have sent everything.
 */
public final class BodyReader implements ReadListener, AsyncListener {
  private static final Logger LOG = LoggerFactory.getLogger(BodyReader.class);
  private static final int FIRST_SIZE = 2048;
  private static final long MAX_DISCARDED = 32L << 20;

  private final ServletInputStream input;
  private final Reply reply;
  private final Limit limit;
  private final BodyTaker taker;
  private final byte[] discarded;
  private byte[] body;
  private int length;
  private long total;

  /**
   * How long a body may be.
   *
   * @param bytes at most
   * @param refusal of a longer one
   */
  public record Limit(int bytes, Refusal refusal) {}

  /** Takes a body when all of it is there. */
  @FunctionalInterface
  public interface BodyTaker {
    /**
     * Takes a body.
     *
     * @param body holds it at its start; nobody writes to it any more
     */
    void handle(byte[] body, int length);
  }

  private BodyReader(ServletInputStream input, Reply reply, Limit limit, BodyTaker taker) {
    this.input = input;
    this.reply = reply;
    this.limit = limit;
    this.taker = taker;
    this.body = new byte[FIRST_SIZE];
    this.discarded = new byte[FIRST_SIZE];
  }

  /**
   * Starts to read; the rest happens when bytes come. The reply is detached from this thread unless
   * the taker has been called on return.
   */
  public static void read(HttpServletRequest request, Reply reply, Limit limit, BodyTaker taker)
      throws IOException {
    ServletInputStream input = request.getInputStream();
    int announced = request.getContentLength();
    if (announced == 0) {
      taker.handle(new byte[0], 0);
      return;
    }
    if (announced > 0
        && announced <= Math.min(FIRST_SIZE, limit.bytes())
        && input.available() >= announced) {
      // Most messages are small and come with their headers.
      byte[] whole = input.readNBytes(announced);
      taker.handle(whole, whole.length);
      return;
    }
    // What a client announces is not believed before it is there.
    BodyReader reader = new BodyReader(input, reply, limit, taker);
    reply.detach().addListener(reader);
    input.setReadListener(reader);
  }

  @Override
  public void onDataAvailable() throws IOException {
    while (input.isReady()) {
      int count = total >= limit.bytes() ? input.read(discarded) : fill();
      if (count < 0) {
        return;
      }
      total += count;
      if (total > limit.bytes() + MAX_DISCARDED) {
        reply.refuse(limit.refusal());
        return;
      }
    }
  }

  private int fill() throws IOException {
    if (length == body.length) {
      body = Arrays.copyOf(body, (int) Math.min(2L * length, limit.bytes()));
    }
    int count = input.read(body, length, body.length - length);
    length += Math.max(count, 0);
    return count;
  }

  @Override
  public void onAllDataRead() {
    if (total > limit.bytes()) {
      reply.refuse(limit.refusal());
    } else {
      taker.handle(body, length);
    }
  }

  @Override
  public void onError(Throwable failure) {
    LOG.debug("A request could not be read", failure);
    reply.refuse(new Refusal(400, "The body ended too soon."));
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    reply.refuse(new Refusal(408, "The body came too slowly."));
  }

  @Override
  public void onComplete(AsyncEvent event) {
    // Nothing is held.
  }

  @Override
  public void onError(AsyncEvent event) {
    LOG.debug("A request failed", event.getThrowable());
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // A request starts once.
  }
}
