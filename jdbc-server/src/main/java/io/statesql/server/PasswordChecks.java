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

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Lets passwords be compared with their hashes, which takes long on purpose: so few at once that
 * others are served meanwhile, and few wrong ones of one address. Safe for use by many threads.
 */
final class PasswordChecks {
  /** So many of an address may be wrong at once; later ones have to wait. */
  static final int FREE = 20;

  /** After which an address may be wrong once more. */
  static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int MAX_WAITING = 32;
  private static final int MAX_ADDRESSES = 10_000;

  /** Who has one address of version 6 has a network of them. */
  private static final int NETWORK_BYTES = 8;

  private final LongSupplier nanoTime;
  private final Semaphore atOnce =
      new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), true);
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * When all that an address was wrong in is forgotten, if it is not yet; the one that nobody heard
   * of for longest comes first.
   */
  @GuardedBy("this")
  private final Map<String, Long> forgottenAt = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  PasswordChecks(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Makes a comparison.
   *
   * @param address of who sent the password
   * @return what the comparison says
   * @throws LoginRefusedException if it was not made
   */
  boolean check(InetAddress address, BooleanSupplier comparison) {
    String sender = sender(address);
    count(sender);
    boolean isRight = false;
    try {
      if (waiting.incrementAndGet() > MAX_WAITING) {
        throw LoginRefusedException.tooMany();
      }
      atOnce.acquireUninterruptibly();
      try {
        isRight = comparison.getAsBoolean();
      } finally {
        atOnce.release();
      }
      return isRight;
    } finally {
      waiting.decrementAndGet();
      if (isRight) {
        forgive(sender);
      }
    }
  }

  private static String sender(InetAddress address) {
    byte[] bytes = address.getAddress();
    return HexFormat.of()
        .formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }

  /** Counts a password as wrong, until it turns out to be right. */
  private synchronized void count(String sender) {
    long now = nanoTime.getAsLong();
    long end = forgottenAt.getOrDefault(sender, now);
    long next = (end - now > 0 ? end : now) + PAUSE_NANOS;
    if (next - now > FREE * PAUSE_NANOS) {
      throw LoginRefusedException.tooMany();
    }
    forgottenAt.put(sender, next);
    var oldest = forgottenAt.values().iterator();
    while (forgottenAt.size() > MAX_ADDRESSES) {
      oldest.next();
      oldest.remove();
    }
  }

  private synchronized void forgive(String sender) {
    forgottenAt.computeIfPresent(sender, (unused, end) -> end - PAUSE_NANOS);
  }
}
