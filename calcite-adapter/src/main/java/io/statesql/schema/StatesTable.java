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
import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.common.hash.Hashing;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.model.StateMeta;
import io.statesql.format.model.StatefulFunctions;
import io.statesql.type.SqlType;
import io.statesql.type.serializer.StoredSchema;
import io.statesql.type.serializer.StoredSerializer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code sys.states}: every state of every operator, those too that cannot be shown. Keyed or
 * operator state whose header cannot be read has one row without a name, whose reason says what is
 * wrong; raw operator state has a row without a kind.
 *
 * <p>The value type of a LIST or MAP is that of the whole; the key and value types of operator
 * state are those of one element or entry, which is what its serializers store.
 *
 * <p>Costs a read of each header and, once for a mounted snapshot, of the copies of each broadcast
 * state, to say which differ.
 */
final class StatesTable extends SystemTable {
  private static final int COLUMN_COUNT = 16;
  private static final int HASH_DIGITS = 16;

  private final MountedSnapshot mount;

  StatesTable(MountedSnapshot mount) {
    super(
        "All states of all operators, those that cannot be shown too",
        column("schema_name", VARCHAR, "Schema of the operator"),
        column("operator_id", VARCHAR, "Hash of the uid, in hex"),
        column("state_name", VARCHAR, "Name that the job gave to the state"),
        column(
            "state_kind",
            VARCHAR,
            "VALUE, LIST, MAP, REDUCING, AGGREGATING, TIMER, SPLIT_LIST, UNION_LIST or BROADCAST"),
        column("table_name", VARCHAR, "Table that shows it; null if none does"),
        column("key_type", VARCHAR, "SQL type of its key"),
        column(
            "namespace_type",
            VARCHAR,
            "SQL type of its window or other namespace; null if it has none"),
        column("value_type", VARCHAR, "SQL type of its value"),
        column("key_serializer", VARCHAR, "Stored serializer of its key"),
        column("namespace_serializer", VARCHAR, "Stored serializer of its namespace"),
        column("value_serializer", VARCHAR, "Stored serializer of its value"),
        column(
            "enum_constants",
            VARCHAR,
            "Constants of the enums in its key and value, in stored order; null if it has none"),
        column(
            "schema_hash",
            VARCHAR,
            "The same in two snapshots exactly if the stored serializers are; null if unknown"),
        column("has_ttl", BOOLEAN, "Whether it has a time to live"),
        column(
            "is_internal",
            BOOLEAN,
            "Whether it is the book-keeping of Flink or Stateful Functions, and no data of the"
                + " job"),
        column(
            "reason",
            VARCHAR,
            "Why it is not shown, or not wholly, or that the job's jars read it; else null"));
    this.mount = mount;
  }

  @Override
  List<Object[]> rows() {
    List<Object[]> rows = new ArrayList<>();
    for (MountedOperator operator : mount.operators().values()) {
      List<StateListing> listings = operator.tables().listings();
      Set<String> names =
          listings.stream()
              .map(StateListing::name)
              .filter(Objects::nonNull)
              .collect(Collectors.toSet());
      for (StateListing listing : listings) {
        rows.add(
            listing.state() == null
                ? undefined(operator, listing)
                : row(operator, listing, isInternal(operator, listing.state(), names)));
      }
    }
    return rows;
  }

  private static Object[] undefined(MountedOperator operator, StateListing listing) {
    Object[] row = new Object[COLUMN_COUNT];
    row[0] = operator.schemaName();
    row[1] = operator.operator().id().hex();
    row[2] = listing.name();
    row[COLUMN_COUNT - 1] = listing.reason();
    return row;
  }

  private static boolean isInternal(
      MountedOperator operator, StateDefinition state, Set<String> names) {
    return (state.first() instanceof KeyedStateMeta keyed && keyed.isMergingWindowSet())
        || StatefulFunctions.isInternal(operator.operator().id(), state.name(), names);
  }

  private static Object[] row(MountedOperator operator, StateListing listing, boolean isInternal) {
    StateDefinition state = listing.state();
    return new Object[] {
      operator.schemaName(),
      operator.operator().id().hex(),
      state.name(),
      state.kind() == null ? null : state.kind().name(),
      listing.tableName(),
      text(state, state.kind() == StateKind.BROADCAST ? Part.MAP_KEY : Part.KEY),
      state.isUnwindowed() ? null : text(state, Part.NAMESPACE),
      valueType(state),
      describe(state.first().key()),
      describe(state.first().namespace()),
      state.first().value().description(),
      enumConstants(state),
      schemaHash(state),
      state.hasTtl(),
      isInternal,
      listing.reason()
    };
  }

  private static String describe(StoredSerializer serializer) {
    return serializer == null ? null : serializer.description();
  }

  private static Stream<StoredSchema> schemas(StateDefinition state) {
    StateMeta meta = state.first();
    return Stream.of(meta.key(), meta.namespace(), meta.value())
        .filter(Objects::nonNull)
        .map(StoredSerializer::schema);
  }

  private static String enumConstants(StateDefinition state) {
    String constants =
        schemas(state)
            .flatMap(schema -> schema.enums().stream())
            .distinct()
            .collect(Collectors.joining(", "));
    return constants.isEmpty() ? null : constants;
  }

  private static String schemaHash(StateDefinition state) {
    if (schemas(state).anyMatch(StoredSchema::isUnknown)) {
      return null;
    }
    String hashes = schemas(state).map(StoredSchema::hash).collect(Collectors.joining(" "));
    return Hashing.sha256().hashString(hashes, US_ASCII).toString().substring(0, HASH_DIGITS);
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
