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

import com.google.common.base.Suppliers;
import io.statesql.coordinator.CoordinatorEndpoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private final Supplier<Map<String, Schema>> schemas;
  private final Lookup<Schema> lookup;

  /**
   * @param mount opens the snapshot; asked again after a failure
   * @param snapshots what {@code sys.snapshots} lists
   * @param coordinator what {@code sys.store_locations} asks
   */
  SnapshotSchema(
      Supplier<MountedSnapshot> mount,
      Supplier<List<ListedSnapshot>> snapshots,
      CoordinatorEndpoint coordinator) {
    this.mount = mount;
    this.schemas = Suppliers.memoize(() -> schemasOf(mount.get(), snapshots, coordinator));
    this.lookup =
        NameLookup.<Schema>of(
                "schema", () -> schemas.get().keySet(), name -> schemas.get().get(name))
            .withUnlisted(this::unlisted);
  }

  private static Map<String, Schema> schemasOf(
      MountedSnapshot mount,
      Supplier<List<ListedSnapshot>> snapshots,
      CoordinatorEndpoint coordinator) {
    Map<String, Schema> schemas = new LinkedHashMap<>();
    mount.operators().forEach((name, operator) -> schemas.put(name, new OperatorSchema(operator)));
    schemas.put(SysSchema.NAME, new SysSchema(mount, snapshots, coordinator));
    return schemas;
  }

  private Schema unlisted(String uidOrId) {
    return mount
        .get()
        .findUnlisted(uidOrId)
        .map(operator -> schemas.get().get(operator.schemaName()))
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
