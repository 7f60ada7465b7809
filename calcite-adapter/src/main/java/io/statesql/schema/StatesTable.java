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

import static io.statesql.type.SqlType.Scalar.BOOLEAN;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import io.statesql.StateSqlException;
import io.statesql.format.ColumnSource.Part;
import io.statesql.format.StateKind;
import io.statesql.type.SqlType;
import io.statesql.type.StoredSerializer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code sys.states}: every state of every operator, those too that cannot be shown. An operator
 * whose state cannot be read has one row without a state, whose reason says what is wrong.
 */
final class StatesTable extends SystemTable {
  private static final int COLUMN_COUNT = 13;

  private final MountedSnapshot mount;

  StatesTable(MountedSnapshot mount) {
    super(
        column("schema_name", VARCHAR),
        column("operator_id", VARCHAR),
        column("state_name", VARCHAR),
        column("state_kind", VARCHAR),
        column("table_name", VARCHAR),
        column("key_type", VARCHAR),
        column("namespace_type", VARCHAR),
        column("value_type", VARCHAR),
        column("key_serializer", VARCHAR),
        column("namespace_serializer", VARCHAR),
        column("value_serializer", VARCHAR),
        column("has_ttl", BOOLEAN),
        column("reason", VARCHAR));
    this.mount = mount;
  }

  @Override
  List<Object[]> rows() {
    List<Object[]> rows = new ArrayList<>();
    for (MountedOperator operator : mount.operators().values()) {
      try {
        for (StateListing listing : operator.tables().listings()) {
          rows.add(row(operator, listing));
        }
      } catch (StateSqlException unreadable) {
        rows.add(unreadable(operator, unreadable.getMessage()));
      }
    }
    return rows;
  }

  private static Object[] unreadable(MountedOperator operator, String reason) {
    Object[] row = new Object[COLUMN_COUNT];
    row[0] = operator.schemaName();
    row[1] = operator.operator().id().hex();
    row[COLUMN_COUNT - 1] = reason;
    return row;
  }

  private static Object[] row(MountedOperator operator, StateListing listing) {
    StateDefinition state = listing.state();
    return new Object[] {
      operator.schemaName(),
      operator.operator().id().hex(),
      state.name(),
      state.kind() == null ? null : state.kind().name(),
      listing.tableName(),
      text(state, Part.KEY),
      state.isUnwindowed() ? null : text(state, Part.NAMESPACE),
      valueType(state),
      describe(state.first().key()),
      describe(state.first().namespace()),
      state.first().value().description(),
      state.hasTtl(),
      listing.reason()
    };
  }

  private static String describe(StoredSerializer serializer) {
    return serializer == null ? null : serializer.description();
  }

  /** The type of the state as a whole; null for timers, which have no value. */
  private static String valueType(StateDefinition state) {
    String value = text(state, Part.VALUE);
    if (state.kind() == StateKind.MAP) {
      return "MAP(" + text(state, Part.MAP_KEY) + ", " + value + ")";
    }
    return state.kind() == StateKind.LIST && !state.isWholeList() ? value + " ARRAY" : value;
  }

  /** The type of a part; where handles differ, all of their types. */
  private static String text(StateDefinition state, Part part) {
    List<SqlType> types = state.types(StateDefinition.codec(part));
    return types.isEmpty()
        ? null
        : types.stream().map(SqlTypes::text).distinct().collect(Collectors.joining(" or "));
  }
}
