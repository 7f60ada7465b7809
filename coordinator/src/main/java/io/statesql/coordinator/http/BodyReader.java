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
import java.util.concurrent.Future;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.http.HttpServletRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the body of a request as it comes, without a thread that waits for it. One that is too
 * long is read on for a while and thrown away, because most clients look for an answer only after
 * they have sent everything. All that is being collected takes a share of the heap at most.
 */
public final class BodyReader implements ReadListener {
  private static final Logger LOG = LoggerFactory.getLogger(BodyReader.class);
  private static final int FIRST_SIZE = 2048;
  private static final long MAX_DISCARDED = 32L << 20;
  private static final BodyMemory MEMORY = new BodyMemory(Runtime.getRuntime().maxMemory() / 4);
  private static final Refusal NO_MEMORY =
      new Refusal(429, "Too many long messages come at a time; try again later.");

  private final ServletInputStream input;
  private final Reply reply;
  private final Limit limit;
  private final BodyTaker taker;
  private final byte[] discarded;
  private final Future<?> tooSlow;

  /** Whether the body was taken or refused, after which nothing of it is kept. */
  private boolean isOver;

  private byte[] body;
  private int length;
  private long total;

  /**
   * How long a body may be.
   *
   * @param bytes at most
   * @param millis in which all of it has to come
   * @param refusal of a longer one
   */
  public record Limit(int bytes, long millis, Refusal refusal) {}

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
    this.tooSlow =
        Deadlines.after(
            limit.millis(), () -> refuse(new Refusal(408, "The body came too slowly.")));
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
    reply.detach();
    input.setReadListener(new BodyReader(input, reply, limit, taker));
  }

  @Override
  public void onDataAvailable() throws IOException {
    while (input.isReady()) {
      int count = collect();
      if (count < 0) {
        return;
      }
      total += count;
      if (total > limit.bytes() + MAX_DISCARDED) {
        refuse(limit.refusal());
        return;
      }
    }
  }

  private synchronized int collect() throws IOException {
    if (isOver || total >= limit.bytes()) {
      return input.read(discarded);
    }
    if (length == body.length) {
      int longer = (int) Math.min(2L * length, limit.bytes());
      if (!MEMORY.take(longer - length)) {
        refuse(NO_MEMORY);
        return input.read(discarded);
      }
      body = Arrays.copyOf(body, longer);
    }
    int count = input.read(body, length, body.length - length);
    length += Math.max(count, 0);
    return count;
  }

  @Override
  public void onAllDataRead() {
    if (total > limit.bytes()) {
      refuse(limit.refusal());
      return;
    }
    synchronized (this) {
      if (isOver) {
        return;
      }
      isOver = true;
    }
    tooSlow.cancel(false);
    try {
      taker.handle(body, length);
    } finally {
      forget();
    }
  }

  private synchronized void refuse(Refusal refusal) {
    if (!isOver) {
      isOver = true;
      tooSlow.cancel(false);
      forget();
      reply.refuse(refusal);
    }
  }

  private synchronized void forget() {
    MEMORY.giveBack(body.length - FIRST_SIZE);
    body = new byte[0];
  }

  @Override
  public void onError(Throwable failure) {
    LOG.debug("A request could not be read", failure);
    refuse(new Refusal(400, "The body ended too soon."));
  }
}
