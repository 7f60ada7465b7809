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

import java.io.Closeable;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.schema.Schema;

/**
 * A snapshot as SQL sees it.
 *
 * @param schema its sub-schemas are the operators and {@code sys}; their tables are the states
 * @param warnings sentences that a connection reports on what a user may not expect
 * @param resources what the connection closes after its last statement; several catalogs may have
 *     the same
 */
public record MountedCatalog(
    String name, Schema schema, List<String> warnings, Closeable resources) {
  public MountedCatalog {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(schema, "schema");
    warnings = List.copyOf(warnings);
  }

  /** A catalog with nothing to close. */
  public MountedCatalog(String name, Schema schema, List<String> warnings) {
    this(name, schema, warnings, () -> {});
  }

  /** A catalog without warnings, and with nothing to close. */
  public MountedCatalog(String name, Schema schema) {
    this(name, schema, List.of());
  }
}
