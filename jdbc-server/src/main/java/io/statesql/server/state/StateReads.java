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
package io.statesql.server.state;

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.ReadCounters;
import io.statesql.ScanContext;
import io.statesql.ScanLimits;
import io.statesql.StateSqlException;
import io.statesql.coordinator.http.Reply;
import io.statesql.entry.EntryStore;
import io.statesql.entry.StoredEntry;
import io.statesql.format.model.StagedState;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Reads single entries, each within a time and a share of memory. Safe for use by many threads. */
final class StateReads {
  private static final int SHARE_OF_HEAP = 16;
  private static final long MIN_MEMORY = 16L << 20;

  private final Supplier<Cancellation> deadlines;
  private final ScanLimits limits =
      new ScanLimits(Math.max(MIN_MEMORY, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP), 1);

  /**
   * @param seconds that a read may take
   */
  StateReads(int seconds) {
    this(() -> deadline(seconds));
  }

  /**
   * @param deadlines what ends a read that begins now
   */
  StateReads(Supplier<Cancellation> deadlines) {
    this.deadlines = deadlines;
  }

  private static Cancellation deadline(int seconds) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    return () -> {
      if (System.nanoTime() > end) {
        throw new StateSqlException(
            ErrorCode.CANCELED, "The entry was not found within " + seconds + " seconds.");
      }
    };
  }

  /** The work of one request, from now on. */
  ScanContext begin() {
    return new ScanContext(deadlines.get(), new ReadCounters(), limits);
  }

  /**
   * The entry of an address.
   *
   * @throws RefusedRequestException if it is no address, or there is no such entry
   * @throws StateSqlException if it cannot be read
   */
  StoredEntry read(EntryAddressText address, EntryStore store) {
    Optional<StoredEntry> entry = EntryTarget.find(address, store).read(StagedState.NONE, begin());
    return entry.orElseThrow(() -> absent(address));
  }

  static RefusedRequestException absent(EntryAddressText address) {
    return new RefusedRequestException(
        404,
        "The key "
            + Reply.printable(address.key())
            + " has nothing in state "
            + Reply.printable(address.state())
            + ".");
  }
}
