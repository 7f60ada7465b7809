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
package io.statesql.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.HostContext;
import io.statesql.StateSqlException;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.Snapshot;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A disk that has room for some of a savepoint gets nothing of it. */
class DiskFullTest {
  private static final int BLOCK = 512;
  private static final int MAX_PARALLELISM = 16;
  private static final int STEPS = 30;
  private static final Bytes KEY = Bytes.copyOf(new byte[] {5, 'k', 'e', 'y', '0'});
  private static final Bytes VOID = Bytes.copyOf(new byte[1]);

  @TempDir private Path folder;
  private Snapshot base;

  private static FileSystem disk(long bytes) {
    return Jimfs.newFileSystem(
        Configuration.unix().toBuilder().setBlockSize(BLOCK).setMaxSize(bytes).build());
  }

  private void commit(FileSystem disk) throws IOException {
    Path target = Files.createDirectories(disk.getPath("/data")).resolve("edited");
    try (SnapshotChanges changes = new SnapshotChanges(HostContext.ofThisProcess())) {
      int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup("key0", MAX_PARALLELISM);
      changes
          .operator(base.metadata().operators().get(0).id())
          .change(
              "v",
              EntryAddress.of(keyGroup, KEY, VOID),
              new EntryChange.Put(Bytes.copyOf(new byte[Long.BYTES])));
      new SavepointWriter(base, changes, Cancellation.NEVER, CommitProgress.NONE)
          .write(target, new CommitRecord(Instant.EPOCH, "", List.of("UPDATE it")));
    }
  }

  private static List<String> left(FileSystem disk) throws IOException {
    try (Stream<Path> files = Files.walk(disk.getPath("/data"))) {
      return files.skip(1).map(Path::toString).toList();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "HEAP", "ROCKSDB_FILES"})
  void leavesNothing(EditForm form) throws Exception {
    base = form.write(folder.resolve("base"), MAX_PARALLELISM, 200);
    long needed;
    try (FileSystem disk = disk(64 << 20)) {
      commit(disk);
      var store = Files.getFileStore(disk.getPath("/data"));
      needed = store.getTotalSpace() - store.getUnallocatedSpace();
      assertThat(left(disk)).contains("/data/edited/_metadata");
    }

    for (long room = BLOCK;
        room < needed;
        room += Math.max(BLOCK, needed / STEPS / BLOCK * BLOCK)) {
      try (FileSystem disk = disk(room)) {
        assertThatThrownBy(() -> commit(disk))
            .as("%d of %d bytes", room, needed)
            .isInstanceOfSatisfying(
                StateSqlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO_ERROR))
            .hasMessageContaining("cannot be written")
            .hasMessageContaining("Nothing was left there");
        assertThat(left(disk)).isEmpty();
      }
    }
    try (FileSystem disk = disk(needed)) {
      commit(disk);
    }
  }
}
