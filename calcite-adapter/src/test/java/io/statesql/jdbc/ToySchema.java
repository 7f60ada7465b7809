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

import io.statesql.schema.NameLookup;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.lookup.Lookup;

/** A schema in memory that uses our name rules, for tests. */
class ToySchema extends AbstractSchema {
  private final Map<String, Schema> schemas = new LinkedHashMap<>();
  private final Map<String, Table> tables = new LinkedHashMap<>();
  private Function<String, Schema> unlisted = name -> null;

  ToySchema schema(String name, Schema schema) {
    schemas.put(name, schema);
    return this;
  }

  ToySchema table(String name, Table table) {
    tables.put(name, table);
    return this;
  }

  ToySchema unlisted(Function<String, Schema> unlisted) {
    this.unlisted = unlisted;
    return this;
  }

  @Override
  public Lookup<? extends Schema> subSchemas() {
    return NameLookup.of("schema", schemas::keySet, schemas::get).withUnlisted(unlisted);
  }

  @Override
  public Lookup<Table> tables() {
    return NameLookup.of("table", tables::keySet, tables::get);
  }
}
