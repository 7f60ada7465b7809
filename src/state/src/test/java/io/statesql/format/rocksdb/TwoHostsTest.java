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
package io.statesql.format.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.HostContext;
import io.statesql.OpenSplits;
import io.statesql.OpenSplits.OpenSplit;
import io.statesql.ScanContext;
import io.statesql.edit.SnapshotChanges;
import io.statesql.format.model.ColumnSource.Part;
import io.statesql.format.model.ColumnSource.Whole;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.RowCursor;
import io.statesql.format.rows.OpenedSnapshots;
import io.statesql.format.rows.SplitContent;
import io.statesql.format.rows.SplitSpec;
import io.statesql.format.scan.ElementCondition;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.FileAccess;
import io.statesql.snapshot.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two hosts in one process share neither work folders nor the register of open splits. */
class TwoHostsTest {
  @TempDir private Path folder;
  private Host one;
  private Host other;

  private record Host(Path workDir, HostContext context, List<OpenSplit> open)
      implements OpenSplits.Listener {
    static Host in(Path workDir) throws IOException {
      Files.createDirectory(workDir);
      Host host = new Host(workDir, HostContext.in(workDir), new ArrayList<>());
      host.context().openSplits().addListener(host);
      return host;
    }

    @Override
    public void opened(OpenSplit split) {
      open.add(split);
    }

    @Override
    public void closed(OpenSplit split) {
      open.remove(split);
    }

    RowCursor read(SplitSpec spec) {
      return spec.open(
          new OpenedSnapshots(
              context, FileAccess.FLINK, Optional.empty(), ScanContext.unattended()));
    }

    List<Path> workFolders() throws IOException {
      try (Stream<Path> folders = Files.list(workDir)) {
        return folders.toList();
      }
    }
  }

  @BeforeEach
  void start() throws IOException {
    one = Host.in(folder.resolve("one"));
    other = Host.in(folder.resolve("other"));
  }

  @Test
  void eachReadsInItsOwnWorkFolderAndIsToldOfItsOwnSplits() throws Exception {
    Snapshot snapshot =
        Snapshot.open(
            RocksDbSample.write(Files.createDirectory(folder.resolve("state"))).toString());
    KeyedSplit split = RocksDbBackend.splits(snapshot).get(0);
    String state = split.header().states().get(0).name();
    SplitContent keys = new SplitContent.Elements(Set.of(state), List.of(new Whole(Part.KEY)));
    SplitSpec spec = SplitSpec.of(snapshot, split, keys, ElementCondition.NONE);

    try (RowCursor ofOne = one.read(spec)) {
      assertThat(one.workFolders()).hasSize(1);
      assertThat(one.open()).hasSize(1);
      assertThat(other.workFolders()).isEmpty();
      assertThat(other.open()).isEmpty();
      try (RowCursor ofOther = other.read(spec)) {
        assertThat(other.workFolders()).hasSize(1);
        assertThat(other.open()).isEqualTo(one.open());
        assertThat(rows(ofOther)).isNotEmpty().isEqualTo(rows(ofOne));
      }
      assertThat(other.workFolders()).isEmpty();
      assertThat(other.open()).isEmpty();
      assertThat(one.workFolders()).hasSize(1);
    }
    assertThat(one.workFolders()).isEmpty();
    assertThat(one.open()).isEmpty();
  }

  private static List<Object> rows(RowCursor cursor) {
    List<Object> rows = new ArrayList<>();
    while (cursor.next()) {
      rows.add(cursor.row()[0]);
    }
    return rows;
  }

  @Test
  void changesThatMemoryDoesNotHoldAreKeptByTheHostThatMadeThem() throws Exception {
    Snapshot snapshot =
        Snapshot.open(
            RocksDbSample.write(Files.createDirectory(folder.resolve("state"))).toString());
    try (SnapshotChanges changes = new SnapshotChanges(one.context(), 0)) {
      Bytes zero = Bytes.copyOf(new byte[1]);
      changes
          .operator(snapshot.metadata().operators().get(0).id())
          .change("state", EntryAddress.of(0, zero, zero), new EntryChange.Put(zero));
      assertThat(one.workFolders()).hasSize(1);
      assertThat(other.workFolders()).isEmpty();
    }
    assertThat(one.workFolders()).isEmpty();
  }
}
