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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.ErrorCode;
import io.statesql.ReadCounters;
import io.statesql.ScanContext;
import io.statesql.StateSqlException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From a handle to its bytes. */
class StateFileTest {
  private static final byte[] CONTENT = new byte[200_000];

  static {
    new Random(1).nextBytes(CONTENT);
  }

  @TempDir private Path root;

  private final CountingFiles files = new CountingFiles();
  private Path folder;
  private Snapshot snapshot;

  @BeforeEach
  void openSnapshot() throws IOException {
    folder = Files.createDirectories(root.resolve("job/chk-1"));
    Files.write(folder.resolve("_metadata"), MadeMetadata.allHandles(6));
    snapshot = Snapshot.open(folder.toString(), files);
  }

  @Test
  void inlinedStateIsRead() {
    Bytes bytes = Bytes.copyOf(new byte[] {1, 2, 3, 4});

    try (StateFile file = snapshot.open(new StreamHandle.ByteStream("some name", bytes))) {
      assertThat(file.name()).isEqualTo("\"some name\" within " + folder + "/_metadata");
      assertThat(file.length()).isEqualTo(4);
      file.seek(2);
      assertThat(file.read()).isEqualTo(3);
      assertThat(file.remaining()).isEqualTo(1);
    }
  }

  @Test
  void aCanceledStatementReadsNoFurther() throws IOException {
    write("job/chk-1/state");
    AtomicBoolean canceled = new AtomicBoolean();
    StateSqlException cancellation = new StateSqlException(ErrorCode.CANCELED, "canceled");
    Snapshot cancelable =
        snapshot.within(
            new ScanContext(
                () -> {
                  if (canceled.get()) {
                    throw cancellation;
                  }
                },
                new ReadCounters()));

    try (StateFile file = cancelable.open(relative("state"))) {
      assertThat(file.read()).isEqualTo(CONTENT[0] & 0xFF);
      canceled.set(true);
      assertThat(file.read()).as("what is buffered").isEqualTo(CONTENT[1] & 0xFF);
      file.seek(150_000);
      assertThatThrownBy(file::read).isSameAs(cancellation);
    }
  }

  @Test
  void aRelativeFileIsReadFromAnyPosition() throws IOException {
    write("job/chk-1/state");

    try (StateFile file = snapshot.open(relative("state"))) {
      assertThat(file.length()).isEqualTo(CONTENT.length);
      Random random = new Random(2);
      for (int i = 0; i < 1000; i++) {
        int position = random.nextInt(CONTENT.length);
        int length = Math.min(CONTENT.length - position, random.nextInt(100_000));
        byte[] read = new byte[length];
        file.seek(position);
        file.readFully(read, 0, length);
        assertThat(read).isEqualTo(Arrays.copyOfRange(CONTENT, position, position + length));
        assertThat(file.position()).isEqualTo(position + length);
      }
      file.seek(file.length());
      assertThat(file.read()).isEqualTo(-1);
      assertThat(file.read(new byte[1], 0, 1)).isEqualTo(-1);
    }
    assertThat(files.opened()).containsExactly("_metadata", "state");
    assertThat(files.open()).isZero();
  }

  @Test
  void bytesReadOneByOneAreBuffered() throws IOException {
    write("job/chk-1/state");
    int before = files.reads();

    try (StateFile file = snapshot.open(relative("state"))) {
      for (byte expected : CONTENT) {
        assertThat((byte) file.read()).isEqualTo(expected);
      }
      assertThat(file.read()).isEqualTo(-1);
    }

    assertThat(files.reads() - before).isLessThanOrEqualTo(10);
  }

  @Test
  void anAbsoluteFileIsReadWhereItLies() throws IOException {
    Path elsewhere = write("elsewhere/state");

    assertContent(new StreamHandle.File(elsewhere.toString(), CONTENT.length), 0);
    assertContent(new StreamHandle.File("file:" + elsewhere, CONTENT.length), 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"job/chk-1/state", "job/shared/state", "job/taskowned/state"})
  void anAbsoluteFileThatHasMovedIsFoundNearTheMetadata(String place) throws IOException {
    write(place);

    assertContent(new StreamHandle.File("file:/gone/job/shared/state", CONTENT.length), 0);
  }

  @Test
  void aSegmentIsAPartOfAFile() throws IOException {
    write("job/shared/job_op_1/merged");

    assertContent(
        new StreamHandle.SegmentFile(
            "/gone/job/shared/job_op_1/merged",
            1000,
            CONTENT.length - 2000,
            StreamHandle.Scope.SHARED,
            "id"),
        1000);
  }

  @Test
  void anEmptySegmentHasNoBytes() {
    try (StateFile file = snapshot.open(new StreamHandle.EmptySegment())) {
      assertThat(file.length()).isZero();
      assertThat(file.read()).isEqualTo(-1);
    }
  }

  @Test
  void aMissingFileNamesWhereItWasLookedFor() {
    assertError(
        relative("gone"),
        ErrorCode.FILE_NOT_FOUND,
        "The state file gone that the metadata %1$s/_metadata names is missing; looked for"
            + " %1$s/gone.");
    assertError(
        new StreamHandle.File("/nowhere/chk-1/gone", 1),
        ErrorCode.FILE_NOT_FOUND,
        "The state file /nowhere/chk-1/gone that the metadata %1$s/_metadata names is missing;"
            + " looked for /nowhere/chk-1/gone, %1$s/gone, %2$s/shared/chk-1/gone,"
            + " %2$s/shared/gone, %2$s/taskowned/chk-1/gone, %2$s/taskowned/gone,"
            + " %2$s/dstl/chk-1/gone, %2$s/dstl/gone. If the files have"
            + " moved, say where they are with pathMap=FROM=TO (--path-map FROM=TO).");
  }

  @Test
  void aMappedFileIsReadAtItsNewPlace() throws IOException {
    write("new/sub/state");
    write("new/merged");
    snapshot =
        Snapshot.open(
            folder.toString(),
            files,
            PathMap.parse(List.of("/old=" + root.resolve("new"), "s3://b=" + root.resolve("new"))));

    assertContent(new StreamHandle.File("file:/old/sub/state", CONTENT.length), 0);
    assertContent(new StreamHandle.File("s3://b/sub/state", CONTENT.length), 0);
    assertContent(
        new StreamHandle.SegmentFile("/old/merged", 1000, 5000, StreamHandle.Scope.SHARED, "id"),
        1000);
  }

  @Test
  void aMappedFileIsNotReadAtItsOldPlace() throws IOException {
    Path old = write("old/state");
    snapshot =
        Snapshot.open(
            folder.toString(),
            files,
            PathMap.parse(List.of(root.resolve("old") + "=" + root.resolve("new"))));

    assertThatExceptionOfType(StateSqlException.class)
        .isThrownBy(() -> snapshot.open(new StreamHandle.File(old.toString(), CONTENT.length)))
        .withMessageContaining("is missing; looked for " + root.resolve("new/state") + ", ");
  }

  @Test
  void aFileOfAFileSystemThatWeLackIsFoundNearTheMetadata() throws IOException {
    write("job/shared/state");

    assertContent(new StreamHandle.File("s3://bucket/job/shared/state", CONTENT.length), 0);
    assertThatExceptionOfType(StateSqlException.class)
        .isThrownBy(() -> snapshot.open(new StreamHandle.File("s3://bucket/job/shared/gone", 1)))
        .withMessageStartingWith(
            "The state file s3://bucket/job/shared/gone needs a Flink file system that is not on"
                + " the class path. Looked for s3://bucket/job/shared/gone, ")
        .withMessageEndingWith("(--path-map FROM=TO).");
  }

  @Test
  void aSnapshotThatIsRemovedSaysSo() throws IOException {
    Path state = write("job/chk-1/state");
    Files.delete(state);
    Files.delete(folder.resolve("_metadata"));

    assertError(
        relative("state"),
        ErrorCode.FILE_NOT_FOUND,
        "The snapshot %1$s was removed while it was read: its metadata and its state file state"
            + " are gone; Flink removes a checkpoint that newer ones replace. Connect again to see"
            + " what is there now.");
  }

  @Test
  void aSnapshotThatIsReplacedSaysSo() throws IOException {
    Files.write(folder.resolve("_metadata"), MadeMetadata.allHandles(5));

    assertError(
        relative("state"),
        ErrorCode.FILE_NOT_FOUND,
        "The snapshot %1$s was replaced while it was read: its metadata is not the one that was"
            + " opened, and the state file state is gone. Connect again to read what is there"
            + " now.");
  }

  @Test
  void aFileShorterThanItsHandleIsTruncated() throws IOException {
    write("job/chk-1/state");

    assertError(
        new StreamHandle.RelativeFile("state", CONTENT.length + 1),
        ErrorCode.MALFORMED_SNAPSHOT,
        "The state file %1$s/state is truncated: it has 200000 bytes, but the snapshot says that"
            + " its state ends at byte 200001.");
    assertError(
        new StreamHandle.SegmentFile(
            folder + "/state", 199_999, 2, StreamHandle.Scope.EXCLUSIVE, "id"),
        ErrorCode.MALFORMED_SNAPSHOT,
        "The state file %1$s/state is truncated: it has 200000 bytes, but the snapshot says that"
            + " its state ends at byte 200001.");
    assertThat(files.open()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../secret",
        "../../../etc/passwd",
        "a/../../../secret",
        "/etc/passwd",
        "file:/etc/passwd",
        "..\\..\\secret",
        ""
      })
  void aRelativeNameMustStayNearTheSnapshot(String name) throws IOException {
    write("secret");

    assertError(
        relative(name),
        ErrorCode.MALFORMED_SNAPSHOT,
        "The metadata %1$s/_metadata names a state file \""
            + name
            + "\" outside of the snapshot, which is not opened.");
    assertThat(files.opened()).containsExactly("_metadata");
  }

  @Test
  void aRelativeNameMayReachTheNeighbours() throws IOException {
    write("job/shared/state");

    assertContent(relative("../shared/state"), 0);
  }

  @Test
  void readsAndSeeksBeyondTheEndAreErrors() throws IOException {
    write("job/chk-1/state");

    try (StateFile file = snapshot.open(relative("state"))) {
      assertThatExceptionOfType(StateSqlException.class)
          .isThrownBy(() -> file.seek(200_001))
          .withMessage(
              "The state in "
                  + folder
                  + "/state has 200000 bytes, but an offset of the snapshot points to 200001.");
      file.seek(199_990);
      assertThatExceptionOfType(StateSqlException.class)
          .isThrownBy(() -> file.readFully(new byte[11], 0, 11))
          .withMessage(
              "The state in "
                  + folder
                  + "/state ends early: 11 bytes are needed at offset 199990 but only 10 are"
                  + " left.");
    }
  }

  @Test
  void aFileThatShrinksWhileItIsReadIsAnError() throws IOException {
    Path path = write("job/chk-1/state");

    try (StateFile file = snapshot.open(relative("state"))) {
      Files.write(path, new byte[10]);
      assertThatExceptionOfType(StateSqlException.class)
          .isThrownBy(file::read)
          .withMessage(
              "The state file "
                  + path
                  + " ends at offset 10 although the snapshot says that more follows.");
    }
  }

  private void assertContent(StreamHandle handle, int start) {
    try (StateFile file = snapshot.open(handle)) {
      assertThat(file.length()).isEqualTo(handle.stateSize());
      byte[] read = new byte[(int) file.length()];
      file.readFully(read, 0, read.length);
      assertThat(read).isEqualTo(Arrays.copyOfRange(CONTENT, start, start + read.length));
      assertThat(file.remaining()).isZero();
    }
    assertThat(files.open()).isZero();
  }

  private void assertError(StreamHandle handle, ErrorCode code, String message) {
    assertThatExceptionOfType(StateSqlException.class)
        .isThrownBy(() -> snapshot.open(handle))
        .withMessage(
            message
                .replace("%1$s", folder.toString())
                .replace("%2$s", folder.getParent().toString()))
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }

  private static StreamHandle relative(String name) {
    return new StreamHandle.RelativeFile(name, CONTENT.length);
  }

  private Path write(String name) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, CONTENT);
  }
}
