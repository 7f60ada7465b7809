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
package io.statesql;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what a statement reads. A reader counts for itself and adds up from time to time, at the
 * latest when it is closed. Safe for use by many threads.
 */
public final class ReadCounters {
  private final LongAdder files = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder keyGroups = new LongAdder();
  private final LongAdder expectedKeyGroups = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final LongAdder rows = new LongAdder();
  private final AtomicLong scanStart = new AtomicLong();
  private final AtomicLong scanEnd = new AtomicLong();

  /** A scan begins now. */
  public void beginScan() {
    scanStart.accumulateAndGet(System.nanoTime(), (first, now) -> first == 0 ? now : first);
  }

  /** A scan has ended. */
  public void endScan() {
    scanEnd.set(System.nanoTime());
  }

  /** A state file was opened, or linked into a work folder. */
  public void addFile() {
    files.increment();
  }

  /** Bytes came from a file, or keys and values of that length out of a RocksDB database. */
  public void addBytes(long count) {
    bytes.add(count);
  }

  /** A scan begins that will read so many key groups if it runs to its end. */
  public void expectKeyGroups(long count) {
    expectedKeyGroups.add(count);
  }

  /** A key group of a split was begun. */
  public void addKeyGroup() {
    keyGroups.increment();
  }

  /** So many stored entries were passed, whether or not they were wanted. */
  public void addEntries(long count) {
    entries.add(count);
  }

  /** So many rows left a scan. */
  public void addRows(long count) {
    rows.add(count);
  }

  /** From the beginning of the first scan to the end of the last. */
  public long scanMillis() {
    return TimeUnit.NANOSECONDS.toMillis(Math.max(0, scanEnd.get() - scanStart.get()));
  }

  public long files() {
    return files.sum();
  }

  public long bytes() {
    return bytes.sum();
  }

  /** How many key groups the scans that have begun will read; 0 if that is not known. */
  public long expectedKeyGroups() {
    return expectedKeyGroups.sum();
  }

  public long keyGroups() {
    return keyGroups.sum();
  }

  public long entries() {
    return entries.sum();
  }

  public long rows() {
    return rows.sum();
  }
}
