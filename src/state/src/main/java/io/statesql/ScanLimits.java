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

/**
 * What one scan, the reading of one table by one statement, may take of the process. Counted are
 * the rows that it gathers and hands over, and single large values; not what a query does with the
 * rows, as when it sorts or joins them.
 *
 * @param memory in bytes; at least 1
 * @param parallelism how many threads may read at a time; at least 1
 */
public record ScanLimits(long memory, int parallelism) {
  private static final int SHARE_OF_HEAP = 4;

  /** That every JVM can make. */
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  public ScanLimits {
    if (memory < 1 || parallelism < 1) {
      throw new IllegalArgumentException("A scan needs memory and a thread");
    }
  }

  /** A quarter of the heap, and as many threads as there are cores. */
  public static ScanLimits ofThisProcess() {
    Runtime runtime = Runtime.getRuntime();
    return new ScanLimits(runtime.maxMemory() / SHARE_OF_HEAP, runtime.availableProcessors());
  }

  /** The same memory for another number of threads. */
  public ScanLimits withParallelism(int threads) {
    return new ScanLimits(memory, threads);
  }

  /** What the rows of keys that one thread gathers may take, in bytes. */
  public long gatheredBytes() {
    return memory / 2 / parallelism;
  }

  /**
   * What one thread may keep of a changelog, in bytes: half of what it may gather, for the rows of
   * keys are gathered from it.
   */
  public long changelogBytes() {
    return gatheredBytes() / 2;
  }

  /** What rows that are read but not yet taken may take, in bytes. */
  public long queuedBytes() {
    return memory / 4;
  }

  /** What rows may take that are kept because a join reads them again and again, in bytes. */
  public long keptBytes() {
    return memory / 4;
  }

  /** What one row may take that is gathered from many elements, in bytes. */
  public long rowBytes() {
    return memory / 2;
  }

  /** How many stored bytes one value may have: decoded it can take several times as many. */
  public int valueBytes() {
    return (int) Math.min(Math.max(memory / 8, 1), LARGEST_ARRAY);
  }
}
