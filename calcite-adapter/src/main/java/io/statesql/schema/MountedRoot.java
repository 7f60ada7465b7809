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

import io.statesql.snapshot.RootEntry;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.SnapshotRoot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A root folder under the name of its mount: a catalog for each of its snapshots, opened when it is
 * first looked into, and the newest under the mount's own name too. Safe for use by many threads.
 */
final class MountedRoot {
  private final String name;
  private final SnapshotRoot root;
  private final MountOptions options;
  private final LazySnapshot main;
  private final Map<RootEntry, LazySnapshot> snapshots = new LinkedHashMap<>();

  MountedRoot(String name, SnapshotRoot root, MountOptions options) {
    this.name = name;
    this.root = root;
    this.options = options;
    this.main = new LazySnapshot(name, root::newestSnapshot, options);
    for (RootEntry entry : root.entries()) {
      if (entry.hasMetadata()) {
        snapshots.put(entry, new LazySnapshot(catalogName(entry), () -> root.open(entry), options));
      }
    }
  }

  /** The catalogs by their names, the mount's own name first. */
  Map<String, SnapshotSchema> catalogs() {
    Map<String, SnapshotSchema> catalogs = new LinkedHashMap<>();
    catalogs.put(name, schemaOf(main));
    snapshots.forEach((entry, snapshot) -> catalogs.put(catalogName(entry), schemaOf(snapshot)));
    return catalogs;
  }

  private SnapshotSchema schemaOf(LazySnapshot snapshot) {
    return new SnapshotSchema(snapshot::get, this::list, options.coordinator());
  }

  private String catalogName(RootEntry entry) {
    return name + "/" + entry.relativePath();
  }

  private List<ListedSnapshot> list() {
    List<ListedSnapshot> all = new ArrayList<>(root.entries().stream().map(this::list).toList());
    if (main.isMoved()) {
      all.addAll(main.get().list());
    }
    return all;
  }

  private ListedSnapshot list(RootEntry entry) {
    SnapshotRoot.Look look = root.look(entry);
    LazySnapshot snapshot = snapshots.get(entry);
    boolean newest = entry.equals(root.newest());
    boolean current = newest && !main.isMoved();
    Optional<Snapshot> opened = Optional.empty();
    if (newest) {
      opened = Optional.of(root.newestSnapshot());
    } else if (snapshot != null) {
      opened = snapshot.ifOpened();
    }
    if (opened.isPresent() && look.entry().status() == RootEntry.Status.COMPLETE) {
      return ListedSnapshot.opened(catalogName(entry), opened.get(), current, look.edited());
    }
    return new ListedSnapshot(
        snapshot == null ? null : catalogName(entry),
        entry.location(),
        look.entry().status(),
        entry.modificationTime(),
        look.header().orElse(null),
        opened.map(Snapshot::metadata).orElse(null),
        current,
        look.edited(),
        look.entry().problem());
  }
}
