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

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * How many bytes the threads have allocated that worked for a statement, one after the other. What
 * of it is still in use nobody knows, but what fills a heap has allocated most.
 */
final class AllocatedBytes {
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private long before;
  private long atStart;

  /** 0 while no thread works. */
  private long worker;

  /** The calling thread begins to work. */
  synchronized void start() {
    worker = Thread.currentThread().getId();
    atStart = THREADS.getThreadAllocatedBytes(worker);
  }

  /** The thread that began has done its work. */
  synchronized void stop() {
    before = total();
    worker = 0;
  }

  /** All that was allocated until now. */
  synchronized long total() {
    return worker == 0
        ? before
        : before + Math.max(0, THREADS.getThreadAllocatedBytes(worker) - atStart);
  }
}
