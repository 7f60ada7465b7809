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
package io.statesql.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.snapshot.RootEntry.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which snapshots a folder holds, and which of them is the newest. */
class SnapshotRootTest {
  /** Where the checkpoint id stands in a metadata file. */
  private static final int CHECKPOINT_ID_OFFSET = 8;

  @TempDir private Path root;

  private final CountingFiles files = new CountingFiles();
  private byte[] metadata;

  @BeforeEach
  void readSomeMetadata() throws IOException {
    metadata = MadeMetadata.allHandles(6);
  }

  @Test
  void aJobsFolderHoldsItsCheckpoints() throws IOException {
    snapshot("chk-8", 8, 2000);
    snapshot("chk-9", 9, 3000);
    Files.createDirectories(root.resolve("chk-10"));
    write("shared/5f3c", new byte[1]);
    write("taskowned/77aa", new byte[1]);

    SnapshotRoot found = find();

    assertThat(found.entries())
        .extracting(RootEntry::relativePath, RootEntry::status)
        .containsExactly(
            tuple("chk-10", Status.INCOMPLETE),
            tuple("chk-8", Status.COMPLETE),
            tuple("chk-9", Status.COMPLETE));
    assertThat(found.newest().relativePath()).isEqualTo("chk-9");
    assertThat(found.newest().modificationTime()).isEqualTo(3000);
    assertThat(found.newestSnapshot().metadata().checkpointId()).isEqualTo(9);
  }

  @Test
  void checkpointsOfSeveralJobsAndSavepointsAreFoundTogether() throws IOException {
    snapshot("checkpoints/job-1/0a1b/chk-3", 3, 1000);
    snapshot("checkpoints/job-2/chk-4", 4, 2000);
    snapshot("savepoints/savepoint-abcdef-0123456789ab", 5, 4000);
    snapshot("savepoints/before the upgrade", 6, 3000);
    Files.createDirectories(root.resolve("savepoints/savepoint-abcdef-ffffffffffff"));

    assertThat(find().entries())
        .extracting(RootEntry::relativePath)
        .containsExactly(
            "checkpoints/job-1/0a1b/chk-3",
            "checkpoints/job-2/chk-4",
            "savepoints/before the upgrade",
            "savepoints/savepoint-abcdef-0123456789ab",
            "savepoints/savepoint-abcdef-ffffffffffff");
    assertThat(find().newest().relativePath())
        .isEqualTo("savepoints/savepoint-abcdef-0123456789ab");
  }

  @Test
  void aSnapshotAFileAndAFolderOfOtherThingsAreNoRoots() throws IOException {
    Path snapshot = snapshot("chk-1", 1, 1000);
    Path other = Files.createDirectories(root.resolve("other/things")).getParent();

    for (Path path :
        List.of(snapshot, snapshot.resolve("_metadata"), other, root.resolve("not there"))) {
      assertThat(SnapshotRoot.find(path.toString(), files, PathMap.NONE)).as("%s", path).isEmpty();
    }
  }

  @Test
  void timeThenCheckpointIdThenPathMakeTheNewest() throws IOException {
    snapshot("a", 7, 1000);
    snapshot("b", 6, 1000);
    assertThat(find().newest().relativePath()).isEqualTo("a");

    snapshot("c", 7, 1000);
    assertThat(find().newest().relativePath()).isEqualTo("c");

    snapshot("d", 1, 2000);
    assertThat(find().newest().relativePath()).isEqualTo("d");
  }

  @Test
  void whatStateSqlWroteIsNeverTheNewest() throws IOException {
    snapshot("chk-1", 1, 1000);
    Path edited = snapshot("chk-1-edited", 1, 5000);
    Files.write(edited.resolve(EditMark.FILE_NAME), new byte[0]);

    SnapshotRoot found = find();

    assertThat(found.newest().relativePath()).isEqualTo("chk-1");
    assertThat(found.entries())
        .extracting(e -> found.look(e).edited())
        .containsExactly(false, true);
    assertThat(found.open(found.entries().get(1)).isEdited()).isTrue();

    Files.delete(root.resolve("chk-1/_metadata"));
    assertNoRoot(
        "The folder %s holds no complete snapshot that Flink wrote; found chk-1 (incomplete),"
            + " chk-1-edited (written by StateSQL). Open a savepoint that StateSQL wrote by its"
            + " own path.");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 15, 200})
  void aDamagedOneIsPassedOverAndListedAsSuch(int length) throws IOException {
    snapshot("chk-1", 1, 1000);
    Path damaged = snapshot("chk-2", 2, 2000).resolve("_metadata");
    Files.write(damaged, Arrays.copyOf(metadata, length));
    Files.setLastModifiedTime(damaged, FileTime.fromMillis(2000));

    SnapshotRoot found = find();

    assertThat(found.newest().relativePath()).isEqualTo("chk-1");
    RootEntry entry = found.entries().get(1);
    assertThat(entry.status()).isEqualTo(Status.DAMAGED);
    assertThat(entry.problem()).contains(damaged.toString()).endsWith(".");
    assertThatExceptionOfType(StateSqlException.class)
        .isThrownBy(() -> found.open(entry))
        .withMessage(entry.problem());
  }

  @Test
  void anOlderDamagedOneIsNotOpenedUntilItIsAskedFor() throws IOException {
    Path damaged = snapshot("chk-1", 1, 1000).resolve("_metadata");
    Files.write(damaged, Arrays.copyOf(metadata, 10));
    Files.setLastModifiedTime(damaged, FileTime.fromMillis(1000));
    snapshot("chk-2", 2, 2000);

    SnapshotRoot found = find();

    assertThat(files.opened()).hasSize(1);
    assertThat(found.entries().get(0).status()).isEqualTo(Status.COMPLETE);
    assertThat(found.look(found.entries().get(0)).entry().status()).isEqualTo(Status.DAMAGED);
  }

  @Test
  void aNewestOfAnUnknownVersionIsAnError() throws IOException {
    snapshot("chk-1", 1, 1000);
    Path newest = snapshot("chk-2", 2, 2000).resolve("_metadata");
    byte[] newer = metadata.clone();
    ByteBuffer.wrap(newer).putInt(Integer.BYTES, 7);
    Files.write(newest, newer);

    assertThatExceptionOfType(StateSqlException.class)
        .isThrownBy(this::find)
        .withMessageContaining("newer metadata version 7")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED_SNAPSHOT));
  }

  @Test
  void aRootWithoutACompleteSnapshotSaysWhatIsThere() throws IOException {
    for (int i = 1; i < 10; i++) {
      Files.createDirectories(root.resolve("job/chk-" + i));
    }
    write("job/chk-2/_metadata", new byte[5]);

    assertNoRoot(
        "The folder %s holds no complete snapshot; found job/chk-1 (incomplete), job/chk-2"
            + " (damaged), job/chk-3 (incomplete), job/chk-4 (incomplete), job/chk-5 (incomplete),"
            + " job/chk-6 (incomplete), job/chk-7 (incomplete), job/chk-8 (incomplete) and 1"
            + " more.");
  }

  @Test
  void hiddenAndTemporaryFoldersAndThoseOfStateAreSkipped() throws IOException {
    snapshot("chk-1", 1, 1000);
    for (String skipped :
        List.of(
            ".hidden/chk-2",
            ".chk-3",
            "_temporary/chk-4",
            "chk-5.tmp",
            "chk-6.inprogress",
            "chk-7~",
            "shared/chk-8",
            "taskowned/chk-9",
            "chk-1/nested")) {
      snapshot(skipped, 2, 9000);
    }

    assertThat(find().entries()).extracting(RootEntry::relativePath).containsExactly("chk-1");
  }

  @Test
  void theSearchIsBoundedInDepthAndNumber() throws IOException {
    snapshot("1/2/3/chk-4", 4, 1000);
    snapshot("1/2/3/4/chk-5", 5, 2000);

    assertThat(find().entries()).extracting(RootEntry::relativePath).containsExactly("1/2/3/chk-4");
    assertThatExceptionOfType(StateSqlException.class)
        .isThrownBy(() -> RootSearch.search(SnapshotPaths.of(root.toString()), files, 2))
        .withMessage(
            "The folder " + root + " holds more than 2 folders; name one nearer to the snapshots.");
  }

  @Test
  void linksNeitherLoopNorListASnapshotTwice() throws IOException {
    Path inner = root.resolve("root");
    snapshot("root/job/chk-1", 1, 1000);
    snapshot("elsewhere/chk-2", 2, 2000);
    Files.createSymbolicLink(inner.resolve("a-link-to-job"), inner.resolve("job"));
    Files.createSymbolicLink(inner.resolve("job/latest"), inner.resolve("job/chk-1"));
    Files.createSymbolicLink(inner.resolve("job/loop"), inner.resolve("job"));
    Files.createSymbolicLink(inner.resolve("up"), root);
    Files.createSymbolicLink(inner.resolve("dangling"), root.resolve("nowhere"));
    Files.createSymbolicLink(inner.resolve("itself"), inner.resolve("itself"));
    Files.createSymbolicLink(inner.resolve("other"), root.resolve("elsewhere"));

    SnapshotRoot found = SnapshotRoot.find(inner.toString(), files, PathMap.NONE).orElseThrow();

    assertThat(found.entries())
        .extracting(RootEntry::relativePath)
        .containsExactly("job/chk-1", "other/chk-2");
  }

  @Test
  void aFolderThatMayNotBeReadIsListedAsSuch() throws IOException {
    snapshot("chk-1", 1, 1000);
    Path closed = Files.createDirectories(root.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    assumeFalse(Files.isReadable(closed), "the superuser reads everything");

    assertThat(find().entries())
        .extracting(RootEntry::relativePath, RootEntry::status)
        .containsExactly(tuple("chk-1", Status.COMPLETE), tuple("closed", Status.UNREADABLE));
  }

  @Test
  void aSnapshotThatIsRemovedLaterSaysSo() throws IOException {
    Path removed = snapshot("chk-1", 1, 1000);
    snapshot("chk-2", 2, 2000);
    SnapshotRoot found = find();
    Files.delete(removed.resolve("_metadata"));
    Files.delete(removed);

    String message =
        "The snapshot "
            + removed
            + " was removed since the connection was opened; Flink removes a checkpoint that newer"
            + " ones replace. Connect again to see what is there now.";
    assertThatExceptionOfType(StateSqlException.class)
        .isThrownBy(() -> found.open(found.entries().get(0)))
        .withMessage(message);
    assertThat(found.look(found.entries().get(0)).entry())
        .returns(Status.REMOVED, RootEntry::status)
        .returns(message, RootEntry::problem);
  }

  @Test
  void ofThousandsOnlyTheNewestIsOpened() throws IOException {
    Path first = snapshot("job/chk-1", 1, 1000).resolve("_metadata");
    for (int i = 2; i <= 5000; i++) {
      Path folder = Files.createDirectory(root.resolve("job/chk-" + i));
      Files.createLink(folder.resolve("_metadata"), first);
    }
    snapshot("job/chk-5001", 5001, 2000);

    SnapshotRoot found = find();

    assertThat(found.entries()).hasSize(5001);
    assertThat(found.newest().relativePath()).isEqualTo("job/chk-5001");
    assertThat(files.opened()).containsExactly("_metadata");
    assertThat(files.open()).isZero();
  }

  @Test
  void ofThousandsOfOneAgeTheFirstBytesAreRead() throws IOException {
    Path first = snapshot("chk-0", 42, 1000).resolve("_metadata");
    for (int i = 1; i <= 1200; i++) {
      Path folder = Files.createDirectory(root.resolve("chk-" + i));
      Files.createLink(folder.resolve("_metadata"), first);
    }

    SnapshotRoot found = find();

    assertThat(found.newest().relativePath()).isEqualTo("chk-999");
    assertThat(files.opened()).isEqualTo(Collections.nCopies(1202, "_metadata"));
    assertThat(files.open()).isZero();
  }

  @Test
  void everySnapshotOfFlinksTestsIsFoundInTheirFolder() {
    SnapshotRoot found =
        SnapshotRoot.find(Path.of("target", "flink-tests", "2.3.0").toString(), files, PathMap.NONE)
            .orElseThrow();

    assertThat(found.entries())
        .filteredOn(entry -> !entry.relativePath().startsWith("META-INF"))
        .hasSize(FlinkTestSnapshots.metadataFiles("2.3.0").size())
        .allSatisfy(
            entry -> {
              Snapshot snapshot = found.open(entry);
              SnapshotRoot.Look look = found.look(entry);
              assertThat(look.entry()).isEqualTo(entry);
              assertThat(look.header())
                  .contains(
                      new SnapshotHeader(
                          snapshot.metadata().version(), snapshot.metadata().checkpointId()));
              assertThat(snapshot.modificationTime()).isEqualTo(entry.modificationTime());
            });
  }

  private SnapshotRoot find() {
    return SnapshotRoot.find(root.toString(), files, PathMap.NONE).orElseThrow();
  }

  private void assertNoRoot(String message) {
    assertThatExceptionOfType(StateSqlException.class)
        .isThrownBy(this::find)
        .withMessage(message.formatted(root))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_A_SNAPSHOT));
  }

  private Path snapshot(String name, long checkpointId, long modifiedAt) throws IOException {
    byte[] bytes = metadata.clone();
    ByteBuffer.wrap(bytes).putLong(CHECKPOINT_ID_OFFSET, checkpointId);
    Path file = write(name + "/_metadata", bytes);
    Files.setLastModifiedTime(file, FileTime.fromMillis(modifiedAt));
    return file.getParent();
  }

  private Path write(String name, byte[] bytes) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, bytes);
  }
}
