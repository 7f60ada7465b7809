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
package io.statesql.schema;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where commits moved the mounts of several connections that are to show the same. Safe for use by
 * many threads.
 */
public final class MountMoves {
  private record Mounted(String catalog, org.apache.flink.core.fs.Path snapshot) {}

  private final Map<Mounted, Path> savepoints = new ConcurrentHashMap<>();
  private final AtomicLong count = new AtomicLong();

  /**
   * Notes a commit.
   *
   * @param snapshot the folder of the snapshot that the catalog shows without any commit
   */
  public void move(String catalog, org.apache.flink.core.fs.Path snapshot, Path savepoint) {
    savepoints.put(new Mounted(catalog, snapshot), savepoint);
    count.incrementAndGet();
  }

  /**
   * The savepoint that a catalog shows instead of a snapshot; empty if none was written, or it was
   * taken away. A root that has got a newer snapshot shows that.
   */
  public Optional<Path> savepoint(String catalog, org.apache.flink.core.fs.Path snapshot) {
    return Optional.ofNullable(savepoints.get(new Mounted(catalog, snapshot)))
        .filter(folder -> Files.exists(folder.resolve("_metadata")));
  }

  /** How often a mount has moved. */
  public long count() {
    return count.get();
  }
}
