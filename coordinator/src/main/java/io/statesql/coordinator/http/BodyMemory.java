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

import java.util.concurrent.atomic.AtomicLong;

/** How much of the heap bodies of requests may take that are being read. Safe for many threads. */
final class BodyMemory {
  private final AtomicLong left;

  BodyMemory(long bytes) {
    this.left = new AtomicLong(bytes);
  }

  /** Takes some bytes if they are left. */
  boolean take(long bytes) {
    if (left.addAndGet(-bytes) >= 0) {
      return true;
    }
    left.addAndGet(bytes);
    return false;
  }

  void giveBack(long bytes) {
    left.addAndGet(bytes);
  }
}
