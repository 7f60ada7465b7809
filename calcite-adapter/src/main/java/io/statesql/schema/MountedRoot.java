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

import io.statesql.coordinator.CoordinatorEndpoint;
import io.statesql.snapshot.RootEntry;
import io.statesql.snapshot.SnapshotMetadata;
import io.statesql.snapshot.SnapshotRoot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A root folder under the name of its mount: a catalog for each of its snapshots, opened when it is
 * first looked into, and the newest under the mount's own name too. Safe for use by many threads.
 */
final class MountedRoot {
  private final String name;
  private final SnapshotRoot root;
  private final CoordinatorEndpoint coordinator;
  private final Map<RootEntry, LazySnapshot> snapshots = new LinkedHashMap<>();

  /**
   * @param uids names for operators that a snapshot knows by their hash only
   */
  MountedRoot(String name, SnapshotRoot root, List<String> uids, CoordinatorEndpoint coordinator) {
    this.name = name;
    this.coordinator = coordinator;
    this.root = root;
    for (RootEntry entry : root.entries()) {
      if (entry.hasMetadata()) {
        String catalog = catalogName(entry);
        snapshots.put(
            entry, new LazySnapshot(() -> new MountedSnapshot(catalog, root.open(entry), uids)));
      }
    }
  }

  /** The catalogs by their names, the mount's own name first. */
  Map<String, SnapshotSchema> catalogs() {
    Map<String, SnapshotSchema> catalogs = new LinkedHashMap<>();
    SnapshotSchema newest = schemaOf(root.newest());
    catalogs.put(name, newest);
    for (RootEntry entry : snapshots.keySet()) {
      catalogs.put(catalogName(entry), entry.equals(root.newest()) ? newest : schemaOf(entry));
    }
    return catalogs;
  }

  private SnapshotSchema schemaOf(RootEntry entry) {
    return new SnapshotSchema(snapshots.get(entry)::get, this::list, coordinator);
  }

  private String catalogName(RootEntry entry) {
    return name + "/" + entry.relativePath();
  }

  private List<ListedSnapshot> list() {
    return root.entries().stream().map(this::list).toList();
  }

  private ListedSnapshot list(RootEntry entry) {
    SnapshotRoot.Look look = root.look(entry);
    LazySnapshot snapshot = snapshots.get(entry);
    boolean current = entry.equals(root.newest());
    SnapshotMetadata opened = null;
    if (current) {
      opened = root.newestSnapshot().metadata();
    } else if (snapshot != null) {
      opened = snapshot.metadataIfOpened();
    }
    return new ListedSnapshot(
        snapshot == null ? null : catalogName(entry),
        entry.location(),
        look.entry().status(),
        entry.modificationTime(),
        look.header().orElse(null),
        opened,
        current,
        look.edited(),
        look.entry().problem());
  }
}
