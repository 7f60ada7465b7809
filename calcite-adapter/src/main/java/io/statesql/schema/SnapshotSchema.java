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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.lookup.Lookup;

/**
 * A catalog: the operators of a mounted snapshot, and the schema of system tables. The snapshot is
 * opened when a schema is looked up or listed.
 */
public final class SnapshotSchema extends AbstractSchema {
  private final Supplier<MountedSnapshot> mount;
  private final Supplier<List<ListedSnapshot>> snapshots;
  private final CoordinatorEndpoint coordinator;
  private final Lookup<Schema> lookup;

  /** The schemas of {@link #shown}. */
  private Map<String, Schema> schemas;

  private MountedSnapshot shown;

  /**
   * @param mount gives the snapshot that the catalog shows now; asked again after a failure
   * @param snapshots what {@code sys.snapshots} lists
   * @param coordinator what {@code sys.store_locations} asks
   */
  SnapshotSchema(
      Supplier<MountedSnapshot> mount,
      Supplier<List<ListedSnapshot>> snapshots,
      CoordinatorEndpoint coordinator) {
    this.mount = mount;
    this.snapshots = snapshots;
    this.coordinator = coordinator;
    this.lookup =
        NameLookup.<Schema>of("schema", this::names, name -> schemas().get(name))
            .withUnlisted(this::unlisted);
  }

  private synchronized Map<String, Schema> schemas() {
    MountedSnapshot now = mount.get();
    if (now != shown) {
      schemas = schemasOf(now);
      shown = now;
    }
    return schemas;
  }

  private Map<String, Schema> schemasOf(MountedSnapshot now) {
    Map<String, Schema> all = new LinkedHashMap<>();
    now.operators().forEach((name, operator) -> all.put(name, new OperatorSchema(operator)));
    all.put(SysSchema.NAME, new SysSchema(now, snapshots, coordinator));
    return all;
  }

  /** Without what the transaction dropped. */
  private Set<String> names() {
    Set<String> names = new LinkedHashSet<>(mount.get().operators().keySet());
    names.add(SysSchema.NAME);
    return names;
  }

  private Schema unlisted(String uidOrId) {
    return mount
        .get()
        .findUnlisted(uidOrId)
        .map(operator -> schemas().get(operator.schemaName()))
        .orElse(null);
  }

  @Override
  public Lookup<? extends Schema> subSchemas() {
    return lookup;
  }

  @Override
  public boolean isMutable() {
    return false;
  }
}
