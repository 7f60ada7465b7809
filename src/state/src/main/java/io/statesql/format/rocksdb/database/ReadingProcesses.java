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
package io.statesql.format.rocksdb.database;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The databases for which there is a process: no more than a machine bears. */
final class ReadingProcesses {
  private static final int LEAST = 32;
  private static final int OF_EACH_CORE = 4;

  static final int LIMIT =
      Math.max(LEAST, OF_EACH_CORE * Runtime.getRuntime().availableProcessors());

  private static final Object LOCK = new Object();

  /** Those first whose processes were started first. */
  @GuardedBy("LOCK")
  private static final Set<IsolatedDatabase> RUNNING = new LinkedHashSet<>();

  private ReadingProcesses() {}

  /**
   * Says that a process is about to be started for a database; ends another that nobody uses, if
   * there are too many.
   *
   * @throws StateSqlException if all of too many are in use
   */
  static void begin(IsolatedDatabase database) {
    while (true) {
      List<IsolatedDatabase> others;
      synchronized (LOCK) {
        if (RUNNING.size() < LIMIT) {
          RUNNING.add(database);
          return;
        }
        others = List.copyOf(RUNNING);
      }
      // Not while others wait: it takes a moment, and the database says itself that it has none.
      if (others.stream().noneMatch(IsolatedDatabase::endIfIdle)) {
        throw new StateSqlException(
            ErrorCode.TOO_MANY,
            "There are "
                + LIMIT
                + " processes that read RocksDB files, as many as there may be with the option"
                + " isolate; wait until other statements end, or let each use fewer threads"
                + " (parallelism).");
      }
    }
  }

  static void ended(IsolatedDatabase database) {
    synchronized (LOCK) {
      RUNNING.remove(database);
    }
  }
}
