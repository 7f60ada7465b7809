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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** Counts the statements of each user that run or have an open result. Safe for many threads. */
public final class RunningStatements {
  private final int limit;
  private final Map<String, Semaphore> free = new ConcurrentHashMap<>();

  RunningStatements(int limit) {
    this.limit = limit;
  }

  /**
   * A user starts a statement.
   *
   * @throws StateSqlException if the user has too many
   */
  public Permit start(User user) {
    Semaphore ofUser = free.computeIfAbsent(user.name(), name -> new Semaphore(limit));
    if (!ofUser.tryAcquire()) {
      throw new StateSqlException(
          ErrorCode.TOO_MANY,
          "A user of this server may have "
              + limit
              + " statements running or with an open result; end one of them first.");
    }
    return new Permit(ofUser);
  }

  /** One running statement. */
  public static final class Permit implements AutoCloseable {
    private final Semaphore semaphore;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private Permit(Semaphore semaphore) {
      this.semaphore = semaphore;
    }

    boolean isClosed() {
      return isClosed.get();
    }

    /** The statement has ended. A second time does nothing. */
    @Override
    public void close() {
      if (isClosed.compareAndSet(false, true)) {
        semaphore.release();
      }
    }
  }
}
