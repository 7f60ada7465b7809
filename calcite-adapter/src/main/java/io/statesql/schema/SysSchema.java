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
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.lookup.Lookup;

/** The system tables of a catalog. */
final class SysSchema extends AbstractSchema {
  /** No operator's schema has this name; one with such a uid is listed by its id. */
  static final String NAME = "sys";

  private final Lookup<Table> tables;

  SysSchema(
      MountedSnapshot mount,
      Supplier<List<ListedSnapshot>> snapshots,
      CoordinatorEndpoint coordinator) {
    Map<String, Table> byName = new LinkedHashMap<>();
    byName.put("snapshots", new SnapshotsTable(snapshots));
    byName.put("operators", new OperatorsTable(mount));
    byName.put("states", new StatesTable(mount));
    byName.put("state_files", new StateFilesTable(mount));
    byName.put("store_locations", new StoreLocationsTable(coordinator, mount));
    byName.put("commits", new CommitsTable(mount.edited()));
    byName.put("primary_keys", new PrimaryKeysTable(mount));
    byName.put("last_statement", new LastStatementTable());
    this.tables = NameLookup.of("table", byName::keySet, byName::get);
  }

  @Override
  public Lookup<Table> tables() {
    return tables;
  }

  @Override
  public boolean isMutable() {
    return false;
  }
}
