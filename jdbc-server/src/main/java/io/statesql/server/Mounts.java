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
import io.statesql.edit.Transaction;
import io.statesql.jdbc.CatalogSource;
import io.statesql.jdbc.ListValue;
import io.statesql.jdbc.Mount;
import io.statesql.jdbc.SnapshotSource;
import io.statesql.jdbc.StateSqlDriver;
import io.statesql.snapshot.FileAccess;
import io.statesql.snapshot.PathMap;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.SnapshotRoot;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server mounts: opens it for a connection, and knows when a newer snapshot has come into
 * one of its root folders, or when a commit has moved a mount. Safe for use by many threads.
 */
final class Mounts {
  private static final Logger LOG = LoggerFactory.getLogger(Mounts.class);

  /** How old the answer to "which is the newest" may be. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int SHARE_OF_HEAP = 16;
  private static final long MIN_MEMORY_KILOBYTES = 16 << 10;

  private final StateSqlDriver driver;
  private final Properties properties = new Properties();
  private final PathMap pathMap;
  private final List<String> mounts;
  private List<String> newest = List.of();
  private long lookedAt;
  private boolean isKnown;

  /**
   * @param source opens snapshots
   */
  Mounts(ServerConfig config, CatalogSource source) {
    this.driver = new StateSqlDriver(source);
    this.mounts = new ArrayList<>(config.allMounts());
    List<String> moved = new ArrayList<>();
    config.pathMap().forEach((from, to) -> moved.add(from + "=" + to));
    this.pathMap = PathMap.parse(moved);
    properties.setProperty("uids", ListValue.join(config.uids()));
    properties.setProperty("pathMap", ListValue.join(moved));
    properties.setProperty("memory", config.memory() == null ? usualMemory() : config.memory());
    if (config.parallelism() != null) {
      properties.setProperty("parallelism", config.parallelism());
    }
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
    Properties now = new Properties();
    now.putAll(properties);
    synchronized (this) {
      now.setProperty("snapshot", ListValue.join(mounts));
    }
    return driver.connect(StateSqlDriver.URL_PREFIX, now);
  }

  /**
   * Lets a mount show from now on what a commit wrote. The mount of a root does not move: what the
   * job writes next is newer.
   *
   * @param shown what the connection that committed showed before, as {@link #newest} told it
   * @return what it shows now; empty if no mount moved
   */
  synchronized Optional<List<String>> move(Transaction.Commit commit, List<String> shown) {
    for (int i = 0; i < mounts.size(); i++) {
      Mount mount = SnapshotSource.mount(mounts.get(i));
      String moved = commit.catalog() + "=" + commit.savepoint();
      if (isSnapshot(mount, commit.catalog())
          && SnapshotSource.mount(moved).name().equals(Optional.of(commit.catalog()))) {
        mounts.set(i, moved);
        isKnown = false;
        List<String> now = new ArrayList<>(shown);
        now.set(i, commit.savepoint().toString());
        return Optional.of(List.copyOf(now));
      }
    }
    return Optional.empty();
  }

  private boolean isSnapshot(Mount mount, String catalog) {
    try {
      if (SnapshotRoot.find(mount.path(), FileAccess.FLINK, pathMap).isPresent()) {
        return false;
      }
      return mount.name().orElseGet(() -> folderName(mount)).equals(catalog);
    } catch (StateSqlException e) {
      LOG.warn("The mount {} cannot be looked at, and does not move", mount.path(), e);
      return false;
    }
  }

  private String folderName(Mount mount) {
    return Snapshot.open(mount.path(), FileAccess.FLINK, pathMap).folder().getName();
  }

  /**
   * Which snapshots the mounts mean now. Of one that cannot be looked at, what it meant before: a
   * connection that is open goes on with it.
   */
  synchronized List<String> newest() {
    long now = System.nanoTime();
    if (!isKnown || now - lookedAt > FRESH_NANOS) {
      List<String> found = new ArrayList<>();
      for (int i = 0; i < mounts.size(); i++) {
        String path = SnapshotSource.mount(mounts.get(i)).path();
        found.add(newestAt(path, newest.isEmpty() ? path : newest.get(i)));
      }
      newest = List.copyOf(found);
      lookedAt = System.nanoTime();
      isKnown = true;
    }
    return newest;
  }

  private String newestAt(String path, String before) {
    try {
      return SnapshotRoot.find(path, FileAccess.FLINK, pathMap)
          .map(root -> root.newest().relativePath())
          .orElse(path);
    } catch (StateSqlException e) {
      LOG.warn(
          "The newest snapshot of {} cannot be found, so connections stay as they are", path, e);
      return before;
    }
  }
}
