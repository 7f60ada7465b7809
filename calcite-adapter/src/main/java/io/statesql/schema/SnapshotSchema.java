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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.lookup.Lookup;

/** A catalog: the operators of a mounted snapshot, and the schema of system tables. */
public final class SnapshotSchema extends AbstractSchema {
  private final MountedSnapshot mount;
  private final Map<String, Schema> schemas = new HashMap<>();
  private final Lookup<Schema> lookup;

  SnapshotSchema(MountedSnapshot mount) {
    this.mount = mount;
    mount.operators().forEach((name, operator) -> schemas.put(name, new OperatorSchema(operator)));
    schemas.put(SysSchema.NAME, new SysSchema(mount));
    this.lookup =
        NameLookup.<Schema>of("schema", this::names, schemas::get).withUnlisted(this::unlisted);
  }

  private Collection<String> names() {
    List<String> names = new ArrayList<>(mount.operators().keySet());
    names.add(SysSchema.NAME);
    return names;
  }

  private Schema unlisted(String uidOrId) {
    return mount
        .findUnlisted(uidOrId)
        .map(operator -> schemas.get(operator.schemaName()))
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
