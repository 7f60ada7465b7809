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
package io.statesql.edit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which savepoint commits made of which snapshot, for all who mount the same: who mounts a snapshot
 * later sees the last savepoint made of it. Safe for use by many threads.
 */
public final class Successors {
  private final Map<String, Path> byBase = new ConcurrentHashMap<>();
  private final AtomicLong version = new AtomicLong();

  /** A commit on a snapshot wrote a savepoint. */
  public void add(org.apache.flink.core.fs.Path base, Path savepoint) {
    byBase.put(base.getPath(), savepoint);
    version.incrementAndGet();
  }

  /** The last savepoint that was made of a snapshot, over any number of commits, and is there. */
  public Optional<Path> newest(org.apache.flink.core.fs.Path base) {
    Path newest = null;
    Set<Path> seen = new HashSet<>();
    Path next = byBase.get(base.getPath());
    while (next != null && seen.add(next) && Files.isDirectory(next)) {
      newest = next;
      next = byBase.get(next.toString());
    }
    return Optional.ofNullable(newest);
  }

  /** Changes with every commit. */
  public long version() {
    return version.get();
  }
}
