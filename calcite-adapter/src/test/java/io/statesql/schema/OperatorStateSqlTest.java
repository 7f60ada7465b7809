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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.format.operator.OperatorStateWriter;
import io.statesql.type.Shop;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.schema.Table;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.ValueTypeInfo;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filemerging.DirectoryStreamStateHandle;
import org.apache.flink.runtime.state.filemerging.EmptyFileMergingOperatorStreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.types.NullValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operator state that Flink's own backend wrote, as SQL shows it. */
class OperatorStateSqlTest {
  private static final ListStateDescriptor<String> TEXTS =
      new ListStateDescriptor<>("texts", Types.STRING);
  private static final ListStateDescriptor<Tuple2<Integer, String>> PAIRS =
      new ListStateDescriptor<>("pairs", Types.TUPLE(Types.INT, Types.STRING));
  private static final ListStateDescriptor<Shop.Animal> ANIMALS =
      new ListStateDescriptor<>("animals", TypeInformation.of(Shop.Animal.class));
  private static final ListStateDescriptor<byte[]> BLOBS =
      new ListStateDescriptor<>("blobs", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);
  private static final ListStateDescriptor<Long> NOTHING =
      new ListStateDescriptor<>("nothing", Types.LONG);
  private static final MapStateDescriptor<String, Long> RULES =
      new MapStateDescriptor<>("rules", Types.STRING, Types.LONG);
  private static final MapStateDescriptor<Tuple2<Integer, Integer>, Tuple2<Integer, String>> PLANS =
      new MapStateDescriptor<>(
          "plans", Types.TUPLE(Types.INT, Types.INT), Types.TUPLE(Types.INT, Types.STRING));
  private static final MapStateDescriptor<Integer, Integer> NO_RULES =
      new MapStateDescriptor<>("noRules", Types.INT, Types.INT);
  private static final TypeSerializer<Long> CUSTOM_SERIALIZER =
      OperatorStateWriter.customSerializer(new byte[] {1, 2, 3});
  private static final String LONG_TEXT = "long ".repeat(40_000);

  @TempDir Path folder;

  private void writeAll(boolean compressed) throws Exception {
    new OperatorStateWriter(compressed)
        .add(
            store -> {
              addAll(store.getListState(TEXTS), "first of 0", LONG_TEXT, "");
              addAll(store.getUnionListState(PAIRS), Tuple2.of(7, "seven"));
              addAll(store.getListState(ANIMALS), animal(4, "Rex"), animal(3, null));
              addAll(store.getListState(BLOBS), new byte[0], hex("00ff7f"));
              store.getListState(NOTHING);
              addBroadcasts(store);
            })
        .add(
            store -> {
              addAll(store.getListState(TEXTS), "first of 1");
              addAll(store.getUnionListState(PAIRS), Tuple2.of(7, "seven"), Tuple2.of(8, "eight"));
              addAll(store.getListState(ANIMALS), animal(2, "Kiki"));
              addAll(store.getListState(BLOBS), hex("01".repeat(200_000)));
              store.getListState(NOTHING);
              addBroadcasts(store);
            })
        .write(folder);
  }

  private static void addBroadcasts(OperatorStateStore store) throws Exception {
    store.getBroadcastState(RULES).putAll(Map.of("a", 1L, "b", 2L, "c", Long.MIN_VALUE));
    store.getBroadcastState(PLANS).put(Tuple2.of(1, 2), Tuple2.of(3, "three"));
    store.getBroadcastState(NO_RULES);
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static <T> void addAll(ListState<T> list, T... elements) throws Exception {
    list.addAll(List.of(elements));
  }

  private static Shop.Animal animal(int legs, String name) {
    Shop.Animal animal = new Shop.Animal();
    animal.legs = legs;
    animal.name = name;
    return animal;
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void listsShowTheElementsOfEachSubtaskOnce(boolean compressed) throws Exception {
    writeAll(compressed);

    assertThat(query("SELECT * FROM texts"))
        .containsExactly("0|0|first of 0", "0|1|" + LONG_TEXT, "0|2|", "1|0|first of 1");
    assertThat(query("SELECT * FROM pairs"))
        .containsExactly("0|0|7|seven", "1|0|7|seven", "1|1|8|eight");
    assertThat(
            query(
                "SELECT \"subtask\", \"list_index\", \"legs\", \"name\" FROM animals"
                    + " ORDER BY \"subtask\", \"list_index\""))
        .containsExactly("0|0|4|Rex", "0|1|3|null", "1|0|2|Kiki");
    assertThat(query("SELECT * FROM blobs"))
        .containsExactly("0|0|", "0|1|00ff7f", "1|0|" + "01".repeat(200_000));
    assertThat(query("SELECT COUNT(*) FROM texts")).containsExactly("4");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void broadcastStateShowsItsEntriesOnce(boolean compressed) throws Exception {
    writeAll(compressed);

    assertThat(query("SELECT * FROM rules"))
        .containsExactlyInAnyOrder("a|1", "b|2", "c|" + Long.MIN_VALUE);
    assertThat(query("SELECT * FROM plans")).containsExactly("1|2|3|three");
    assertThat(query("SELECT \"map_key_f1\", \"f1\" FROM plans ORDER BY \"f1\""))
        .containsExactly("2|three");
    assertThat(query("SELECT COUNT(*) FROM rules")).containsExactly("3");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void emptyStatesKeepTheirTables(boolean compressed) throws Exception {
    writeAll(compressed);

    assertThat(query("SELECT * FROM nothing")).isEmpty();
    assertThat(query("SELECT * FROM \"noRules\"")).isEmpty();
    assertThat(query("SELECT COUNT(*) FROM nothing")).containsExactly("0");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void operatorWithEmptyStatesAloneIsRead(boolean compressed) throws Exception {
    new OperatorStateWriter(compressed).add(store -> store.getListState(NOTHING)).write(folder);

    assertThat(query("SELECT * FROM nothing")).isEmpty();
    assertThat(states("\"state_name\", \"reason\"")).containsExactly("nothing|null");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void elementsWithoutBytesAreRows(boolean compressed) throws Exception {
    new OperatorStateWriter(compressed)
        .add(
            store -> {
              for (String name : List.of("a", "b", "c")) {
                addAll(store.getListState(new ListStateDescriptor<>(name, Types.INT)), 1, 2);
                addAll(
                    store.getListState(
                        new ListStateDescriptor<>(
                            "nothing " + name, ValueTypeInfo.NULL_VALUE_TYPE_INFO)),
                    NullValue.getInstance(),
                    NullValue.getInstance());
              }
            })
        .write(folder);

    for (String name : List.of("a", "b", "c")) {
      assertThat(query("SELECT * FROM " + name)).containsExactly("0|0|1", "0|1|2");
      assertThat(query("SELECT * FROM \"nothing " + name + "\""))
          .containsExactly("0|0|null", "0|1|null");
    }
  }

  @Test
  void statesListKindsTypesAndSerializers() throws Exception {
    writeAll(true);

    assertThat(
            states(
                "\"state_name\", \"state_kind\", \"table_name\", \"key_type\", \"value_type\","
                    + " \"key_serializer\", \"value_serializer\", \"reason\""))
        .containsExactly(
            "animals|SPLIT_LIST|animals|null|ROW(born TIMESTAMP(3), born_nanos INTEGER, legs"
                + " INTEGER, name VARCHAR)|null|Pojo<io.statesql.type.Shop$Animal>|null",
            "blobs|SPLIT_LIST|blobs|null|VARBINARY|null|byte[]|null",
            "noRules|BROADCAST|noRules|INTEGER|INTEGER|Integer|Integer|null",
            "nothing|SPLIT_LIST|nothing|null|BIGINT|null|Long|null",
            "pairs|UNION_LIST|pairs|null|ROW(f0 INTEGER, f1 VARCHAR)|null|Tuple2<Integer,"
                + " String>|null",
            "plans|BROADCAST|plans|ROW(f0 INTEGER, f1 INTEGER)|ROW(f0 INTEGER, f1"
                + " VARCHAR)|Tuple2<Integer, Integer>|Tuple2<Integer, String>|null",
            "rules|BROADCAST|rules|VARCHAR|BIGINT|String|Long|null",
            "texts|SPLIT_LIST|texts|null|VARCHAR|null|String|null");
  }

  @Test
  void primaryKeysTellRowsApart() throws Exception {
    writeAll(false);

    assertThat(
            sql(
                "SELECT \"table_name\", \"column_name\", \"key_sequence\" FROM"
                    + " \"snap\".\"sys\".\"primary_keys\" WHERE \"table_name\" IN ('texts', 'plans')"))
        .containsExactly(
            "plans|map_key_f0|1", "plans|map_key_f1|2", "texts|subtask|1", "texts|list_index|2");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copiesThatDifferAreFlagged(boolean compressed) throws Exception {
    new OperatorStateWriter(compressed)
        .add(store -> store.getBroadcastState(RULES).putAll(Map.of("a", 1L, "b", 2L)))
        .add(store -> store.getBroadcastState(RULES).putAll(Map.of("b", 2L, "a", 1L)))
        .add(store -> store.getBroadcastState(RULES).putAll(Map.of("a", 1L, "b", 3L)))
        .add(store -> store.getBroadcastState(RULES).put("a", 1L))
        .write(folder);

    assertThat(states("\"reason\""))
        .containsExactly(
            "its copies differ between subtasks 0 and 2, 3; shown is that of subtask 0");
    assertThat(query("SELECT * FROM rules")).containsExactlyInAnyOrder("a|1", "b|2");
  }

  @Test
  void copiesInAnotherOrderAreTheSame() throws Exception {
    new OperatorStateWriter(false)
        .add(store -> fill(store.getBroadcastState(RULES), 0))
        .add(store -> fill(store.getBroadcastState(RULES), 1000))
        .write(folder);

    assertThat(states("\"reason\"")).containsExactly("null");
  }

  /** Entries that were removed leave a larger hash table behind, which has another order. */
  private static void fill(BroadcastState<String, Long> state, int removed) throws Exception {
    for (int i = 0; i < removed; i++) {
      state.put("removed " + i, 0L);
    }
    for (int i = 0; i < removed; i++) {
      state.remove("removed " + i);
    }
    for (int i = 0; i < 10; i++) {
      state.put("kept " + i, (long) i);
    }
  }

  @Test
  void namesThatAreOursGetANumber() throws Exception {
    new OperatorStateWriter(false)
        .add(
            store -> {
              store.getListState(new ListStateDescriptor<>("timers", Types.INT)).add(1);
              store.getListState(new ListStateDescriptor<>("timers_2", Types.INT)).add(2);
              store.getListState(new ListStateDescriptor<>("keyed_state", Types.INT)).add(3);
            })
        .write(folder);

    assertThat(states("\"state_name\", \"table_name\""))
        .containsExactly("keyed_state|keyed_state_2", "timers|timers_3", "timers_2|timers_2");
    assertThat(query("SELECT * FROM timers_3")).containsExactly("0|0|1");
    assertThat(query("SELECT * FROM timers_2")).containsExactly("0|0|2");
  }

  @Test
  void fieldsThatAreCalledLikeOurColumnsGetANumber() throws Exception {
    Line line = new Line();
    line.subtask = 5;
    line.x = 6;
    new OperatorStateWriter(false)
        .add(
            store ->
                store
                    .getListState(
                        new ListStateDescriptor<>("lines", TypeInformation.of(Line.class)))
                    .add(line))
        .write(folder);

    assertThat(query("SELECT \"subtask\", \"subtask_2\", \"x\" FROM lines ORDER BY \"x\""))
        .containsExactly("0|5|6");
  }

  /** A POJO. */
  public static class Line {
    public int subtask;
    public int x;
  }

  @Test
  void keyedAndOperatorStateMayHaveOneName() throws Exception {
    new OperatorStateWriter(false)
        .add(
            store -> {
              store.getListState(TEXTS).add("a");
              store.getListState(new ListStateDescriptor<>("timers", Types.INT)).add(1);
            })
        .withKeyed(emptyKeyedState("texts", "timers"))
        .write(folder);

    assertThat(states("\"state_name\", \"state_kind\", \"table_name\""))
        .containsExactly(
            "texts|VALUE|texts",
            "timers|VALUE|timers_2",
            "texts|SPLIT_LIST|texts_2",
            "timers|SPLIT_LIST|timers_3");
    assertThat(query("SELECT * FROM texts")).isEmpty();
    assertThat(query("SELECT * FROM texts_2")).containsExactly("0|0|a");
    assertThat(query("SELECT * FROM timers_3")).containsExactly("0|0|1");
  }

  /** A canonical savepoint of VALUE states that no key has. */
  private static KeyedStateHandle emptyKeyedState(String... names) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    new KeyedBackendSerializationProxy<>(
            IntSerializer.INSTANCE,
            Stream.of(names)
                .map(
                    name ->
                        new RegisteredKeyValueStateBackendMetaInfo<>(
                                StateDescriptor.Type.VALUE,
                                name,
                                VoidNamespaceSerializer.INSTANCE,
                                IntSerializer.INSTANCE)
                            .snapshot())
                .toList(),
            false)
        .write(out);
    return keyedState(out.getCopyOfBuffer());
  }

  private static KeyedStateHandle keyedState(byte[] file) {
    return new KeyGroupsSavepointStateHandle(
        new KeyGroupRangeOffsets(KeyGroupRange.of(0, 127), new long[128]),
        new ByteStreamStateHandle("keyed", file));
  }

  @Test
  void damagedKeyedStateDoesNotHideOperatorState() throws Exception {
    new OperatorStateWriter(false)
        .add(store -> store.getListState(TEXTS).add("a"))
        .withKeyed(keyedState(new byte[] {0, 0, 0, 99}))
        .write(folder);

    assertThat(query("SELECT * FROM texts")).containsExactly("0|0|a");
    assertThat(states("\"state_name\", \"reason\""))
        .hasSize(2)
        .contains("texts|null")
        .anySatisfy(row -> assertThat(row).contains("null|Operator", "has version 99"));
    assertThatThrownBy(() -> table("keyed_state")).hasMessageContaining("has version 99");
  }

  @Test
  void damagedOperatorStateDoesNotHideKeyedState() throws Exception {
    new OperatorStateWriter(false)
        .add(
            new OperatorStreamStateHandle(
                Map.of(), new ByteStreamStateHandle("damaged", new byte[] {0, 0, 0, 4})))
        .withKeyed(emptyKeyedState("counts"))
        .write(folder);

    assertThat(query("SELECT * FROM counts")).isEmpty();
    assertThat(states("\"state_name\", \"reason\""))
        .hasSize(2)
        .contains("counts|null")
        .anySatisfy(row -> assertThat(row).contains("has version 4", "before 1.8"));
  }

  @Test
  void subtasksMayKnowDifferentStates() throws Exception {
    new OperatorStateWriter(false)
        .add(store -> store.getListState(TEXTS).add("only in 0"))
        .add((OperatorStateHandle) null)
        .add(store -> store.getBroadcastState(RULES).put("only in 2", 2L))
        .write(folder);

    assertThat(query("SELECT * FROM texts")).containsExactly("0|0|only in 0");
    assertThat(query("SELECT * FROM rules")).containsExactly("only in 2|2");
    assertThat(states("\"state_name\", \"reason\"")).containsExactly("rules|null", "texts|null");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void elementsOfACustomSerializerAreShownAsBytes(boolean compressed) throws Exception {
    new OperatorStateWriter(compressed)
        .add(
            store -> {
              store.getListState(TEXTS).add("a");
              addAll(
                  store.getListState(new ListStateDescriptor<>("custom", CUSTOM_SERIALIZER)),
                  12L,
                  345L);
              store
                  .getBroadcastState(
                      new MapStateDescriptor<>(
                          "customRules", StringSerializer.INSTANCE, CUSTOM_SERIALIZER))
                  .put("a", 6L);
            })
        .write(folder);

    assertThat(query("SELECT * FROM texts")).containsExactly("0|0|a");
    assertThat(query("SELECT * FROM custom")).containsExactly("0|0|00023132", "0|1|0003333435");
    assertThat(states("\"state_name\", \"table_name\", \"reason\""))
        .hasSize(3)
        .anySatisfy(row -> assertThat(row).startsWith("custom|custom|").contains("CustomSnapshot"))
        .anySatisfy(
            row ->
                assertThat(row)
                    .startsWith("customRules|null|where its entries end cannot be found (")
                    .contains("CustomSnapshot"));
    assertThatThrownBy(() -> table("customRules"))
        .hasMessageContaining("cannot be shown as a table: where its entries end");
  }

  @Test
  void stateStoredAsTwoTypesIsNotShown() throws Exception {
    new OperatorStateWriter(false)
        .add(store -> store.getListState(TEXTS).add("a"))
        .add(store -> store.getListState(new ListStateDescriptor<>("texts", Types.INT)).add(1))
        .write(folder);

    assertThat(states("\"table_name\", \"reason\""))
        .singleElement()
        .asString()
        .startsWith("null|one handle stores it as VARCHAR and another as INTEGER (subtask 0 in ")
        .contains("SPLIT_LIST of VARCHAR, subtask 1 in ");
    assertThatThrownBy(() -> table("texts"))
        .hasMessageContaining("cannot be shown as a table: one handle stores it as VARCHAR");
  }

  @Test
  void handleOfFileMergingFoldersIsNoState() throws Exception {
    new OperatorStateWriter(false)
        .add(
            EmptyFileMergingOperatorStreamStateHandle.create(
                directory("taskowned"), directory("shared")))
        .add(store -> store.getListState(TEXTS).add("a"))
        .write(folder);

    assertThat(query("SELECT * FROM texts")).containsExactly("1|0|a");
  }

  private DirectoryStreamStateHandle directory(String name) {
    return DirectoryStreamStateHandle.of(
        new org.apache.flink.core.fs.Path(folder.resolve(name).toUri()));
  }

  @Test
  void rawOperatorStateIsListedWithoutATable() throws Exception {
    new OperatorStateWriter(false)
        .add(store -> store.getListState(TEXTS).add("a"))
        .withRaw(
            new OperatorStreamStateHandle(
                Map.of(
                    "_default_",
                    new OperatorStateHandle.StateMetaInfo(
                        new long[] {0}, OperatorStateHandle.Mode.SPLIT_DISTRIBUTE)),
                new ByteStreamStateHandle("raw", new byte[] {1, 2, 3})))
        .write(folder);

    assertThat(states("\"state_name\", \"state_kind\", \"table_name\", \"reason\""))
        .containsExactly(
            "texts|SPLIT_LIST|texts|null",
            "_default_|null|null|it is raw operator state: bytes that only the code of the"
                + " operator can read");
  }

  private Table table(String name) {
    return SnapshotCatalogs.open("snap", folder.toString(), List.of())
        .subSchemas()
        .get(OperatorStateWriter.UID)
        .tables()
        .get(name);
  }

  private List<String> query(String sql) throws SQLException {
    return sql(sql.replace("FROM ", "FROM \"snap\".\"" + OperatorStateWriter.UID + "\"."));
  }

  private List<String> states(String columns) throws SQLException {
    return sql("SELECT " + columns + " FROM \"snap\".\"sys\".\"states\"");
  }

  /** The rows, their columns parted by bars. */
  private List<String> sql(String sql) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("unquotedCasing", "UNCHANGED");
    try (Connection connection = DriverManager.getConnection("jdbc:calcite:", properties)) {
      connection
          .unwrap(CalciteConnection.class)
          .getRootSchema()
          .add("snap", SnapshotCatalogs.open("snap", folder.toString(), List.of()));
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        List<String> texts = new ArrayList<>();
        while (rows.next()) {
          List<String> row = new ArrayList<>();
          for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            row.add(text(rows.getObject(i)));
          }
          texts.add(String.join("|", row));
        }
        return texts;
      }
    }
  }

  private static String text(Object value) {
    return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value);
  }
}
