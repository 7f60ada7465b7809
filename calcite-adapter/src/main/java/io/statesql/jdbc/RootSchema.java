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
package io.statesql.jdbc;

import io.statesql.ErrorCode;
import io.statesql.NearestNames;
import io.statesql.StateSqlException;
import io.statesql.schema.NameLookup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.lookup.Lookup;
import org.apache.calcite.util.BuiltInMethod;

/** The root of a connection's names: its sub-schemas are the mounted catalogs. */
public final class RootSchema extends AbstractSchema {
  private final NameLookup<Schema> catalogs;

  RootSchema(List<MountedCatalog> mounted) {
    Map<String, Schema> byName = new LinkedHashMap<>();
    for (MountedCatalog catalog : mounted) {
      if (byName.put(catalog.name(), catalog.schema()) != null) {
        throw new StateSqlException(
            ErrorCode.INVALID_ARGUMENT,
            "Two snapshots would be mounted as catalog %s; give one of them another name with NAME=PATH."
                .formatted(NearestNames.quote(catalog.name())));
      }
    }
    this.catalogs = NameLookup.of("catalog", byName::keySet, byName::get);
  }

  /**
   * Whether a list of what is in all catalogs takes this one in. Of a mounted root folder only the
   * catalog of its newest snapshot: thousands of others, {@code NAME/<path>}, are seen by who names
   * them.
   */
  public static boolean isListedWhole(String catalog) {
    return catalog.indexOf('/') < 0;
  }

  /** The root has no parent: generated code finds it in its context. */
  @Override
  public Expression getExpression(SchemaPlus parentSchema, String name) {
    return Expressions.call(DataContext.ROOT, BuiltInMethod.DATA_CONTEXT_GET_ROOT_SCHEMA.method);
  }

  @Override
  public Lookup<? extends Schema> subSchemas() {
    return catalogs;
  }
}
