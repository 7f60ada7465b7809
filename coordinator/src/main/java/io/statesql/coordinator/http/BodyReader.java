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

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.Future;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the body of a request as it comes, without a thread that waits for it. One that is too
 * long is read on for a while and thrown away, because most clients look for an answer only after
 * they have sent everything. All that is being collected takes a share of the heap at most.
 */
public final class BodyReader {
  private static final Logger LOG = LoggerFactory.getLogger(BodyReader.class);
  private static final int FIRST_SIZE = 2048;
  private static final long MAX_DISCARDED = 32L << 20;
  private static final BodyMemory MEMORY = new BodyMemory(Runtime.getRuntime().maxMemory() / 4);
  private static final Refusal NO_MEMORY =
      new Refusal(429, "Too many long messages come at a time; try again later.");

  private final Request request;
  private final Reply reply;
  private final Limit limit;
  private final BodyTaker taker;

  /** Null until the body is waited for, which most are not: they come with their headers. */
  private Future<?> tooSlow;

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

  private BodyReader(Request request, Reply reply, Limit limit, BodyTaker taker) {
    this.request = request;
    this.reply = reply;
    this.limit = limit;
    this.taker = taker;
    // What a client announces is not believed before it is there.
    this.body = new byte[FIRST_SIZE];
  }

  /**
   * Reads what is there, and the rest when it comes. The taker is called by this thread or by
   * another one.
   */
  public static void read(Request request, Reply reply, Limit limit, BodyTaker taker) {
    new BodyReader(request, reply, limit, taker).onDataAvailable();
  }

  /** Neither waits nor takes under the lock: the one may call back at once, the other be long. */
  private void onDataAvailable() {
    switch (readAvailable()) {
      case WAITING -> request.demand(this::onDataAvailable);
      case WHOLE -> take();
      case REFUSED -> {}
    }
  }

  /** What there is of a body after all was read that had come. */
  private enum Progress {
    WAITING,
    WHOLE,
    REFUSED
  }

  private synchronized Progress readAvailable() {
    while (!isOver) {
      Content.Chunk chunk = request.read();
      if (chunk == null) {
        if (tooSlow == null) {
          tooSlow = Deadlines.after(limit.millis(), this::refuseAsTooSlow);
        }
        return Progress.WAITING;
      }
      if (Content.Chunk.isFailure(chunk)) {
        LOG.debug("A request could not be read", chunk.getFailure());
        refuse(new Refusal(400, "The body ended too soon."));
        return Progress.REFUSED;
      }
      boolean isLast = chunk.isLast();
      try {
        collect(chunk.getByteBuffer());
      } finally {
        chunk.release();
      }
      if (total > (isLast ? limit.bytes() : limit.bytes() + MAX_DISCARDED)) {
        refuse(limit.refusal());
      } else if (isLast && !isOver) {
        end();
        return Progress.WHOLE;
      }
    }
    return Progress.REFUSED;
  }

  private void collect(ByteBuffer bytes) {
    total += bytes.remaining();
    if (total > limit.bytes()) {
      return;
    }
    if (total > body.length) {
      int longer = (int) Math.min(Math.max(2L * body.length, total), limit.bytes());
      if (!MEMORY.take(longer - body.length)) {
        refuse(NO_MEMORY);
        return;
      }
      body = Arrays.copyOf(body, longer);
    }
    int count = bytes.remaining();
    bytes.get(body, length, count);
    length += count;
  }

  private void take() {
    try {
      taker.handle(body, length);
    } catch (RuntimeException | Error e) {
      reply.fail(e);
    } finally {
      forget();
    }
  }

  private synchronized void refuseAsTooSlow() {
    if (!isOver) {
      end();
      forget();
      reply.refuseAndClose(new Refusal(408, "The body came too slowly."));
    }
  }

  private void refuse(Refusal refusal) {
    if (!isOver) {
      end();
      forget();
      reply.refuse(refusal);
    }
  }

  private void end() {
    isOver = true;
    if (tooSlow != null) {
      tooSlow.cancel(false);
    }
  }

  private synchronized void forget() {
    MEMORY.giveBack(body.length - FIRST_SIZE);
    body = new byte[0];
  }
}
