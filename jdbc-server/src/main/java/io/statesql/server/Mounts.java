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

import io.statesql.StateSqlException;
import io.statesql.jdbc.CatalogSource;
import io.statesql.jdbc.ListValue;
import io.statesql.jdbc.SnapshotSource;
import io.statesql.jdbc.StateSqlDriver;
import io.statesql.schema.MountMoves;
import io.statesql.snapshot.FileAccess;
import io.statesql.snapshot.PathMap;
import io.statesql.snapshot.SnapshotRoot;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server mounts: opens it for a connection, and knows when a newer snapshot has come into
 * one of its root folders. Safe for use by many threads.
 */
final class Mounts {
  private static final Logger LOG = LoggerFactory.getLogger(Mounts.class);

  /** How old the answer to "which is the newest" may be. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int SHARE_OF_HEAP = 16;
  private static final long MIN_MEMORY_KILOBYTES = 16 << 10;

  private final StateSqlDriver driver;
  private final MountMoves moves;
  private final LongSupplier nanoTime;
  private final Properties properties = new Properties();
  private final List<String> paths = new ArrayList<>();
  private final PathMap pathMap;
  private List<String> newest = List.of();
  private long lookedAt;
  private boolean isKnown;

  /**
   * @param source opens snapshots
   * @param moves where commits moved them
   * @param nanoTime as {@link System#nanoTime}
   */
  Mounts(ServerConfig config, CatalogSource source, MountMoves moves, LongSupplier nanoTime) {
    this.driver = new StateSqlDriver(source);
    this.moves = moves;
    this.nanoTime = nanoTime;
    List<String> mounts = config.allMounts();
    List<String> moved = new ArrayList<>();
    config.pathMap().forEach((from, to) -> moved.add(from + "=" + to));
    this.pathMap = PathMap.parse(moved);
    for (String mount : mounts) {
      paths.add(SnapshotSource.mount(mount).path());
    }
    properties.setProperty("snapshot", ListValue.join(mounts));
    properties.setProperty("uids", ListValue.join(config.uids()));
    properties.setProperty("pathMap", ListValue.join(moved));
    properties.setProperty("jars", ListValue.join(config.jars()));
    properties.setProperty("isolate", Boolean.toString(config.isolate()));
    properties.setProperty("memory", config.memory() == null ? usualMemory() : config.memory());
    if (config.parallelism() != null) {
      properties.setProperty("parallelism", config.parallelism());
    }
    properties.setProperty("statementSeconds", String.valueOf(config.limits().statementSeconds()));
    // The wire carries no arrays, maps or rows.
    properties.setProperty("composites", "json");
    if (config.writable() && config.commitTo() != null) {
      properties.setProperty("commitTo", config.commitTo());
    }
  }

  /** Less than a program of its own would take, for many statements run at once. */
  private static String usualMemory() {
    long kilobytes = (Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP) >> 10;
    return Math.max(MIN_MEMORY_KILOBYTES, kilobytes) + "k";
  }

  /** A connection to the newest of everything; the caller closes it. */
  Connection open() throws SQLException {
    return driver.connect(StateSqlDriver.URL_PREFIX, properties);
  }

  /** What there is for a connection to see now: another value when that is something else. */
  record Present(List<String> newest, long moves) {}

  Present present() {
    return new Present(newest(), moves.count());
  }

  /**
   * Which snapshots the mounts mean now. Of one that cannot be looked at, what it meant before: a
   * connection that is open goes on with it.
   */
  private synchronized List<String> newest() {
    long now = nanoTime.getAsLong();
    if (!isKnown || now - lookedAt > FRESH_NANOS) {
      List<String> found = new ArrayList<>();
      for (int i = 0; i < paths.size(); i++) {
        found.add(newestIn(paths.get(i), isKnown ? newest.get(i) : ""));
      }
      newest = List.copyOf(found);
      lookedAt = nanoTime.getAsLong();
      isKnown = true;
    }
    return newest;
  }

  private String newestIn(String path, String before) {
    try {
      return SnapshotRoot.find(path, FileAccess.FLINK, pathMap)
          .map(root -> root.newest().relativePath())
          .orElse("");
    } catch (StateSqlException e) {
      LOG.warn(
          "The newest snapshot of {} cannot be found, so connections stay as they are", path, e);
      return before;
    }
  }
}
