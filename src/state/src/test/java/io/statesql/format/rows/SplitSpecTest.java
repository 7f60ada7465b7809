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
package io.statesql.format.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.Range;
import io.statesql.ErrorCode;
import io.statesql.HostContext;
import io.statesql.ScanContext;
import io.statesql.ScanLimits;
import io.statesql.StateSqlException;
import io.statesql.format.model.ColumnSource;
import io.statesql.format.model.ColumnSource.Derived;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.ColumnSource.Whole;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.OperatorStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.rocksdb.RocksDbTestProcess;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.split.KeyedSplits;
import io.statesql.format.split.OperatorSplits;
import io.statesql.format.split.RawTimerSplits;
import io.statesql.snapshot.FileAccess;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A split is read anywhere as it is read here. */
class SplitSpecTest {
  private static final String SAMPLE = "../../sql-examples/snapshots/orders";
  private static final String CHANGELOG =
      "../changelog/snapshots/flink-2.3-rocksdb-incremental-memory-materialized.zip";
  private static final String FLINK = "target/flink-tests/2.3.0/";

  @TempDir private Path folder;

  /** Paths of snapshots, and the zip of one. */
  static List<String> everyForm() {
    return List.of(
        SAMPLE,
        FLINK + "new-stateful-udf-migration-itcase-flink2.2-hashmap-checkpoint",
        FLINK + "new-stateful-udf-migration-itcase-flink2.2-hashmap-savepoint-native",
        FLINK + "new-stateful-udf-migration-itcase-flink2.2-rocksdb-checkpoint",
        FLINK + "new-stateful-udf-migration-itcase-flink2.2-rocksdb-savepoint",
        FLINK + "new-stateful-broadcast-udf-migration-itcase-flink2.2-rocksdb-savepoint-native",
        FLINK + "legacy-raw-state-heap-timers-rocks-db-1.12",
        CHANGELOG);
  }

  private Snapshot open(String path) throws IOException {
    Path opened = Path.of(path);
    if (path.endsWith(".zip")) {
      opened = folder.resolve("unzipped");
      try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(Path.of(path)))) {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
          Path file = opened.resolve(entry.getName());
          Files.createDirectories(file.getParent());
          Files.copy(zip, file);
        }
      }
      try (Stream<Path> files = Files.walk(opened)) {
        opened =
            files
                .filter(file -> file.getFileName().toString().startsWith("chk-"))
                .findFirst()
                .orElseThrow();
      }
    }
    return Snapshot.open(opened.toAbsolutePath().normalize().toString());
  }

  private static List<KeyedSplit> splits(Snapshot snapshot, OperatorState operator) {
    List<KeyedSplit> splits = new ArrayList<>(KeyedSplits.of(snapshot, operator));
    splits.addAll(RawTimerSplits.of(snapshot, operator));
    return splits;
  }

  @ParameterizedTest
  @MethodSource("everyForm")
  void givesTheSameRowsInAnotherProcess(String path) throws IOException, InterruptedException {
    Snapshot snapshot = open(path);
    List<SplitSpec> specs = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (OperatorState operator : snapshot.metadata().operators()) {
      for (KeyedSplit split : splits(snapshot, operator)) {
        addKeyed(snapshot, split, specs, expected);
      }
      for (OperatorSplit split : OperatorSplits.of(snapshot, operator)) {
        for (OperatorStateMeta state : split.header().states()) {
          if (state.isSeparable()) {
            SplitSpec spec = SplitSpec.of(snapshot, split, elements(state));
            specs.add(spec);
            expected.addAll(SplitReaderProcess.rows(spec, SplitHost.of(snapshot, split)));
          }
        }
      }
    }

    assertThat(expected).isNotEmpty();
    assertThat(inAnotherProcess(specs)).isEqualTo(expected);
  }

  private static void addKeyed(
      Snapshot snapshot, KeyedSplit split, List<SplitSpec> specs, List<String> expected) {
    for (KeyedStateMeta state : split.header().states()) {
      specs.add(SplitSpec.of(snapshot, split, elements(state), ElementCondition.NONE));
      specs.add(
          SplitSpec.of(
              snapshot,
              split,
              elements(state),
              new ElementCondition(
                  ImmutableRangeSet.of(Range.atLeast(split.keyGroups().start() + 1)), List.of())));
    }
    Set<String> unwindowed =
        split.header().states().stream()
            .filter(state -> state.kind() != StateKind.TIMER && state.codecs().isUnwindowed())
            .map(KeyedStateMeta::name)
            .collect(Collectors.toSet());
    if (!unwindowed.isEmpty()) {
      List<KeyColumn> columns = new ArrayList<>();
      columns.add(new KeyColumn.OfKey(new Whole(Part.KEY)));
      unwindowed.stream().sorted().map(KeyColumn.Presence::new).forEach(columns::add);
      specs.add(
          SplitSpec.of(
              snapshot, split, new SplitContent.Keys(unwindowed, columns), ElementCondition.NONE));
    }
    for (SplitSpec spec : specs.subList(specs.size() - added(split, unwindowed), specs.size())) {
      expected.addAll(SplitReaderProcess.rows(spec, SplitHost.of(snapshot, split)));
    }
  }

  private static int added(KeyedSplit split, Set<String> unwindowed) {
    return 2 * split.header().states().size() + (unwindowed.isEmpty() ? 0 : 1);
  }

  private static SplitContent elements(KeyedStateMeta state) {
    List<ColumnSource> columns = new ArrayList<>();
    columns.add(new Whole(Part.KEY));
    columns.add(Derived.KEY_GROUP);
    switch (state.kind()) {
      case TIMER -> columns.add(Derived.TIMER_TIMESTAMP);
      case MAP -> {
        columns.add(new Whole(Part.MAP_KEY));
        columns.add(new Whole(Part.VALUE));
      }
      case LIST -> {
        columns.add(Derived.LIST_INDEX);
        columns.add(new Whole(Part.VALUE));
      }
      default -> columns.add(new Whole(Part.VALUE));
    }
    return new SplitContent.Elements(Set.of(state.name()), columns);
  }

  private static SplitContent.OperatorElements elements(OperatorStateMeta state) {
    return new SplitContent.OperatorElements(
        state.name(), List.of(Derived.SUBTASK, new Whole(Part.VALUE)));
  }

  private List<String> inAnotherProcess(List<SplitSpec> specs)
      throws IOException, InterruptedException {
    Path sent = folder.resolve("specs");
    Path rows = folder.resolve("rows");
    try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(sent))) {
      out.writeObject(new ArrayList<>(specs));
    }
    RocksDbTestProcess.Result result =
        RocksDbTestProcess.run(
            folder,
            folder.resolve("output"),
            SplitReaderProcess.class,
            sent.toString(),
            rows.toString());
    assertThat(result.status()).as(String.join("\n", result.output())).isZero();
    return Files.readAllLines(rows, UTF_8);
  }

  @ParameterizedTest
  @MethodSource("everyForm")
  void goesOnWhereAnotherReaderEnded(String path) throws IOException {
    Snapshot snapshot = open(path);
    int goingOn = 0;
    for (OperatorState operator : snapshot.metadata().operators()) {
      for (KeyedSplit split : splits(snapshot, operator)) {
        List<SplitSpec> specs = new ArrayList<>();
        addKeyed(snapshot, split, specs, new ArrayList<>());
        for (SplitSpec spec : specs) {
          goingOn += requireSameRowsInTurns(spec, SplitHost.of(snapshot, split));
        }
      }
      for (OperatorSplit split : OperatorSplits.of(snapshot, operator)) {
        for (OperatorStateMeta state : split.header().states()) {
          if (state.isSeparable()) {
            SplitSpec spec = SplitSpec.of(snapshot, split, elements(state));
            goingOn += requireSameRowsInTurns(spec, SplitHost.of(snapshot, split));
          }
        }
      }
    }
    assertThat(goingOn).isPositive();
  }

  /** Reads a split in turns, each of which takes some rows more and leaves the rest to the next. */
  private static int requireSameRowsInTurns(SplitSpec spec, SplitHost host) {
    List<String> all = SplitReaderProcess.rows(spec, host);
    List<String> inTurns = new ArrayList<>();
    int turns = 0;
    SplitSpec rest = spec;
    for (boolean isMore = true; isMore; turns++) {
      try (SplitReader reader = rest.read(host)) {
        for (int i = 0; i <= turns * turns && isMore; i++) {
          isMore = reader.next();
          if (isMore) {
            inTurns.add(SplitReaderProcess.line(reader.row()));
          }
        }
        rest = reader.rest();
      }
    }
    assertThat(inTurns).isEqualTo(all);
    return turns - 1;
  }

  @Test
  void whatIsLeftBeginsInTheKeyGroupOfTheLastRow() throws IOException {
    Snapshot snapshot = open(SAMPLE);
    KeyedSplit split =
        KeyedSplits.of(snapshot, snapshot.metadata().operator("orders-per-customer")).get(0);
    SplitHost host = SplitHost.of(snapshot, split);
    SplitSpec spec =
        SplitSpec.of(
            snapshot, split, elements(split.header().states().get(0)), ElementCondition.NONE);
    try (SplitReader reader = spec.read(host)) {
      assertThat(reader.rest()).isEqualTo(spec);
      while (reader.next()) {
        SplitSpec rest = reader.rest();
        assertThat(rest.keyGroups().start()).isEqualTo(reader.row()[1]);
        assertThat(rest.keyGroups().end()).isEqualTo(spec.keyGroups().end());
        assertThat(rest.offset()).isPositive();
      }
      assertThat(SplitReaderProcess.rows(reader.rest(), host)).isEmpty();
    }
    assertThat(SplitReaderProcess.rows(spec.atMost(2), host))
        .isEqualTo(SplitReaderProcess.rows(spec, host).subList(0, 2));
    assertThat(SplitReaderProcess.rows(spec.atMost(0), host)).isEmpty();
  }

  @Test
  void rowsWhoseOrderDependsOnMemoryAreNotCountedByAnother() throws IOException {
    Snapshot snapshot = open(SAMPLE);
    KeyedSplit split =
        KeyedSplits.of(snapshot, snapshot.metadata().operator("orders-per-customer")).get(0);
    List<SplitSpec> specs = new ArrayList<>();
    addKeyed(snapshot, split, specs, new ArrayList<>());
    SplitSpec keys = specs.get(specs.size() - 1);
    assertThat(keys.content()).isInstanceOf(SplitContent.Keys.class);
    SplitSpec rest;
    try (SplitReader reader = keys.read(SplitHost.of(snapshot, split))) {
      assertThat(reader.next()).isTrue();
      rest = reader.rest();
    }
    ScanContext little = snapshot.scan().within(new ScanLimits(1 << 20, 1));

    assertThatThrownBy(() -> rest.open(SplitHost.of(snapshot.within(little), split)))
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("read on with the same limits, or this key group anew");
  }

  @Test
  void ofAnotherSnapshotIsAnError() {
    Snapshot snapshot = Snapshot.open(SAMPLE);
    OperatorState operator = snapshot.metadata().operator("orders-per-customer");
    KeyedSplit split = KeyedSplits.of(snapshot, operator).get(0);
    SplitSpec spec =
        new SplitSpec(
            snapshot.metadataFile().toString(),
            snapshot.pathMap(),
            false,
            operator.id().hex(),
            SplitSpec.Store.KEYED,
            operator.parallelism(),
            new KeyGroupRange(0, 1),
            elements(split.header().states().get(0)),
            ElementCondition.NONE,
            0,
            0,
            Long.MAX_VALUE);
    SplitHost host =
        new OpenedSnapshots(
            HostContext.ofThisProcess(),
            FileAccess.FLINK,
            Optional.empty(),
            ScanContext.unattended());

    assertThatThrownBy(() -> spec.open(host))
        .isInstanceOfSatisfying(
            StateSqlException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessageContaining("is another one than that of which the split was made");
  }
}
