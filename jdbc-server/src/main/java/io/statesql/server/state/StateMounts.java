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
package io.statesql.server.state;

import io.statesql.edit.CommitPlace;
import io.statesql.jdbc.Mount;
import io.statesql.jdbc.SnapshotSource;
import io.statesql.job.JobJars;
import io.statesql.schema.MountMoves;
import io.statesql.server.ServerConfig;
import io.statesql.snapshot.FileAccess;
import io.statesql.snapshot.PathMap;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.SnapshotRoot;
import io.statesql.type.serializer.JobClasses;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a server mounts, by the names that its catalogs have in SQL. Safe for use by many threads.
 */
final class StateMounts implements Closeable {
  private final CommitPlace place;
  private final PathMap pathMap;
  private final MountMoves moves;
  private final boolean isolate;
  private final Optional<JobJars> jars;
  private final String current;
  private final Map<String, MountedState> states = new ConcurrentHashMap<>();
  private final Map<String, MountedRootFolder> roots = new ConcurrentHashMap<>();

  /**
   * Opens all mounts.
   *
   * @param moves where commits move the mounts, of whoever makes them
   * @throws io.statesql.StateSqlException if one cannot be opened
   */
  StateMounts(ServerConfig config, MountMoves moves) {
    this.place = new CommitPlace(Optional.ofNullable(config.commitTo()));
    this.moves = moves;
    this.isolate = config.isolate();
    List<String> moved = new ArrayList<>();
    config.pathMap().forEach((from, to) -> moved.add(from + "=" + to));
    this.pathMap = PathMap.parse(moved);
    this.jars = JobJars.open(config.jars());
    List<String> names = new ArrayList<>();
    for (String text : config.allMounts()) {
      names.add(mount(SnapshotSource.mount(text)));
    }
    this.current = names.get(0);
  }

  private String mount(Mount mount) {
    Optional<SnapshotRoot> root = SnapshotRoot.find(mount.path(), FileAccess.FLINK, pathMap);
    String name;
    MountedState state;
    if (root.isPresent()) {
      name = mount.name().orElseGet(() -> root.get().folder().getName());
      MountedRootFolder folder = new MountedRootFolder(mount.path(), pathMap, root.get());
      roots.put(name, folder);
      state = mounted(name, folder::newest);
    } else {
      Snapshot snapshot = Snapshot.open(mount.path(), FileAccess.FLINK, pathMap);
      name = mount.name().orElseGet(() -> snapshot.folder().getName());
      state = mounted(name, () -> snapshot);
    }
    // Where its commits go is fixed now.
    state.store();
    states.put(name, state);
    return name;
  }

  private MountedState mounted(String name, Supplier<Snapshot> snapshot) {
    Optional<JobClasses> jobClasses = jars.map(Function.identity());
    return new MountedState(
        name,
        () -> snapshot.get().readBy(jobClasses).isolated(isolate),
        savepoint -> open(savepoint).readBy(jobClasses).isolated(isolate),
        place,
        moves);
  }

  private Snapshot open(Path savepoint) {
    return Snapshot.open(savepoint.toString(), FileAccess.FLINK, pathMap);
  }

  /** Closes all that were asked for, and the jars that read them. */
  @Override
  public void close() throws IOException {
    all().forEach(MountedState::closeStore);
    if (jars.isPresent()) {
      jars.get().close();
    }
  }

  /** The first one mounted. */
  MountedState current() {
    return states.get(current);
  }

  /** The catalog of an exact name; empty if there is none. */
  Optional<MountedState> find(String catalog) {
    MountedState state = states.get(catalog);
    if (state != null) {
      return Optional.of(state);
    }
    for (Map.Entry<String, MountedRootFolder> root : roots.entrySet()) {
      String prefix = root.getKey() + "/";
      if (catalog.startsWith(prefix)) {
        return root.getValue()
            .entry(catalog.substring(prefix.length()))
            .map(
                entry ->
                    states.computeIfAbsent(
                        catalog, name -> mounted(name, () -> root.getValue().open(entry))));
      }
    }
    return Optional.empty();
  }

  /** All that were asked for. */
  List<MountedState> all() {
    return List.copyOf(states.values());
  }
}
