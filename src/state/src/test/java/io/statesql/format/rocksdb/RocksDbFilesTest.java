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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.scan.SplitScan;
import io.statesql.format.work.WorkFolder;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.KeyedStateHandle.LocalFile;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import io.statesql.snapshot.StreamHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lays out files, sound and hostile, and leaves nothing behind. */
class RocksDbFilesTest {
  private static final int OPENINGS = 1000;

  /** Files that the JVM itself may open meanwhile, such as jars. */
  private static final int SLACK = 20;

  @TempDir private static Path folder;
  private static Path workDir;
  private static Snapshot snapshot;
  private static KeyedSplit split;
  private static KeyedStateHandle.Incremental handle;

  @BeforeAll
  static void writeSample() throws Exception {
    snapshot = Snapshot.open(RocksDbSample.write(folder).toString());
    split = RocksDbBackend.splits(snapshot).get(0);
    handle = (KeyedStateHandle.Incremental) split.handle();
    workDir = Files.createDirectory(folder.resolve("work"));
    System.setProperty(WorkFolder.BASE_PROPERTY, workDir.toString());
  }

  @AfterAll
  static void useTheDefaultPlaceAgain() {
    System.clearProperty(WorkFolder.BASE_PROPERTY);
  }

  @Test
  void theSourceStaysAsItIs() throws Exception {
    Map<Path, String> before = fingerprints();

    assertThat(read(handle)).isNotEmpty();

    assertThat(fingerprints()).isEqualTo(before);
  }

  @Test
  void tablesAreLinksAndAllElseIsCopied() throws Exception {
    try (KeyedElements elements = open(handle)) {
      assertThat(elements.next()).isTrue();
      List<Path> laidOut = filesBelow(workDir).stream().filter(this::isDatabaseFile).toList();
      assertThat(laidOut).isNotEmpty();
      for (Path file : laidOut) {
        assertThat((int) Files.getAttribute(file, "unix:nlink"))
            .as("%s", file)
            .isEqualTo(file.toString().endsWith(".sst") ? 2 : 1);
        assertThat(file.getFileName().toString()).doesNotStartWith("OPTIONS");
      }
    }
    assertThat(filesBelow(workDir)).isEmpty();
  }

  private boolean isDatabaseFile(Path file) {
    return file.getParent().endsWith("files");
  }

  @Test
  void tablesOnAnotherDiskOrInTheMetadataAreCopied() {
    List<LocalFile> inlined = new ArrayList<>();
    for (LocalFile file : files()) {
      inlined.add(new LocalFile(file.localPath(), inline(file.localPath(), content(file))));
    }

    assertThat(read(with(inlined))).isEqualTo(read(handle));
  }

  @Test
  void aTableBehindASymbolicLinkIsFound() throws Exception {
    Path copy = Files.createDirectory(folder.resolve("links"));
    List<LocalFile> linked = new ArrayList<>();
    for (LocalFile file : files()) {
      Path target = copy.resolve("real-" + file.localPath());
      Files.write(target, content(file));
      Path link = Files.createSymbolicLink(copy.resolve(file.localPath()), target.getFileName());
      linked.add(
          new LocalFile(
              file.localPath(), new StreamHandle.File(link.toString(), Files.size(target))));
    }

    assertThat(read(with(linked))).isEqualTo(read(handle));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "..",
        "../000099.sst",
        "/tmp/000099.sst",
        "a/000099.sst",
        "a\\000099.sst",
        "000099.sst/",
        "000099.sst\n",
        "000099.sst\0",
        "LOCK",
        "LOG",
        "current",
        "MANIFEST-",
        "x.sst",
        "٠٠٠.sst"
      })
  void aNameThatRocksDbDoesNotUseIsRefused(String name) {
    String shown = name.replace("\n", "\\u000a").replace("\0", "\\u0000");
    List<LocalFile> files = new ArrayList<>(files());
    files.add(new LocalFile(name, inline("hostile", new byte[] {1})));

    assertThatThrownBy(() -> read(with(files)))
        .isInstanceOfSatisfying(
            StateSqlException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_SNAPSHOT))
        .hasMessageContaining("Operator \"rocks\", subtask 0")
        .hasMessageContaining("\"" + shown + "\", which RocksDB does not use");
  }

  @Test
  void twoFilesOfOneNameAreRefused() {
    List<LocalFile> files = new ArrayList<>(files());
    files.add(files.get(0));

    assertThatThrownBy(() -> read(with(files)))
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("two RocksDB files " + files.get(0).localPath());
  }

  @Test
  void aHandleWithoutTheFileThatNamesTheManifestIsRefused() {
    assertThatThrownBy(() -> read(with(List.of())))
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("hold no CURRENT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MANIFEST-000099\n", "../MANIFEST-000005\n", "MANIFEST-000005"})
  void aCurrentFileThatNamesNoManifestOfTheSnapshotIsRefused(String content) {
    List<LocalFile> files = new ArrayList<>(files());
    files.removeIf(file -> file.localPath().equals("CURRENT"));
    files.add(new LocalFile("CURRENT", inline("current file", content.getBytes(UTF_8))));

    assertThatThrownBy(() -> read(with(files)))
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("CURRENT (\"current file\" within")
        .hasMessageContaining("does not name a MANIFEST- file");
  }

  @Test
  void aTableThatTheHandleDoesNotNameIsMissed() {
    List<LocalFile> files = new ArrayList<>(files());
    LocalFile table = files.stream().filter(f -> f.localPath().endsWith(".sst")).findFirst().get();
    files.remove(table);

    assertThatThrownBy(() -> read(with(files)))
        .isInstanceOfSatisfying(
            StateSqlException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_SNAPSHOT))
        .hasMessageContaining(table.localPath());
  }

  @Test
  void aTableThatTheDatabaseDoesNotKnowIsRefused() {
    List<LocalFile> files = new ArrayList<>(files());
    LocalFile table = files.stream().filter(f -> f.localPath().endsWith(".sst")).findFirst().get();
    files.add(new LocalFile("000099.sst", inline("stray table", content(table))));

    assertThatThrownBy(() -> read(with(files)))
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("does not know its file 000099.sst (\"stray table\" within")
        .hasMessageContaining("so MANIFEST-");
  }

  @Test
  void aTableWithADamagedFooterIsNotGivenToRocksDb() {
    List<LocalFile> files = new ArrayList<>(files());
    files.add(new LocalFile("000099.sst", inline("no table", new byte[] {1})));

    assertThatThrownBy(() -> read(with(files)))
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("000099.sst (\"no table\" within")
        .hasMessageContaining("is damaged at offset 0: it is too short for a table");
  }

  @Test
  void damageIsReportedByTheNameOfTheSource() {
    List<LocalFile> files = new ArrayList<>(files());
    LocalFile table = files.stream().filter(f -> f.localPath().endsWith(".sst")).findFirst().get();
    byte[] bytes = content(table);
    bytes[10] ^= 1;
    files.replaceAll(
        file ->
            file.equals(table) ? new LocalFile(file.localPath(), inline("damaged", bytes)) : file);

    assertThatThrownBy(() -> read(with(files)))
        .isInstanceOfSatisfying(
            StateSqlException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_SNAPSHOT))
        .hasMessageContaining("Operator \"rocks\", subtask 0")
        .hasMessageContaining("checksum mismatch")
        .hasMessageContaining("\"damaged\" within")
        .hasMessageNotContaining(workDir.toString());
  }

  @Test
  void closedElementsAreNotReadAgain() {
    KeyedElements elements = open(handle);
    assertThat(elements.next()).isTrue();
    elements.close();
    elements.close();

    assertThatThrownBy(elements::next).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void nothingIsLeftOfAThousandOpenings() throws Exception {
    List<LocalFile> damaged = new ArrayList<>(files());
    damaged.replaceAll(
        file ->
            file.localPath().startsWith("MANIFEST")
                ? new LocalFile(file.localPath(), inline("zeros", new byte[1000]))
                : file);
    List<RocksDbRow> sound = read(handle);
    long openBefore = openFiles();

    for (int i = 0; i < OPENINGS; i++) {
      switch (i % 4) {
        case 0 -> assertThat(read(handle)).hasSameSizeAs(sound);
        case 1 ->
            assertThatThrownBy(() -> read(with(damaged))).isInstanceOf(StateSqlException.class);
        case 2 -> open(handle).close();
        default ->
            assertThatThrownBy(() -> read(with(List.of()))).isInstanceOf(StateSqlException.class);
      }
    }

    assertThat(filesBelow(workDir)).isEmpty();
    assertThat(openFiles()).isLessThan(openBefore + SLACK);
  }

  /** Open files of this process, its threads' included; as Linux lists them. */
  private static long openFiles() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(descriptors)) {
      return files.count();
    }
  }

  private static List<LocalFile> files() {
    return Stream.concat(handle.shared().stream(), handle.privateFiles().stream()).toList();
  }

  private static KeyedStateHandle.Incremental with(List<LocalFile> files) {
    return new KeyedStateHandle.Incremental(
        handle.checkpointId(),
        handle.backendId(),
        handle.keyGroups(),
        handle.checkpointedSize(),
        handle.metadata(),
        List.of(),
        files,
        handle.stateHandleId());
  }

  private static KeyedElements open(KeyedStateHandle.Incremental changed) {
    BitSet all = new BitSet();
    all.set(0, split.header().states().size());
    return RocksDbElements.open(
        snapshot,
        new SplitScan(split, all, ElementCondition.NONE, snapshot.scan().counters()),
        changed,
        RocksDbElements.Order.BY_STATE);
  }

  private static List<RocksDbRow> read(KeyedStateHandle.Incremental changed) {
    try (KeyedElements elements = open(changed)) {
      return RocksDbRow.of(elements);
    }
  }

  private static StreamHandle inline(String name, byte[] bytes) {
    return new StreamHandle.ByteStream(name, Bytes.copyOf(bytes));
  }

  private static byte[] content(LocalFile file) {
    try (StateFile in = snapshot.open(file.handle())) {
      byte[] bytes = new byte[(int) in.length()];
      in.readFully(bytes, 0, bytes.length);
      return bytes;
    }
  }

  /** Content and time of all files of the job. */
  private static Map<Path, String> fingerprints() throws Exception {
    Map<Path, String> result = new TreeMap<>();
    for (Path top : List.of(folder.resolve("shared"), folder.resolve("chk-3"))) {
      for (Path file : filesBelow(top)) {
        byte[] hash =
            java.security.MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        result.put(file, HexFormat.of().formatHex(hash) + Files.getLastModifiedTime(file));
      }
    }
    assertThat(result).isNotEmpty();
    return result;
  }

  private static List<Path> filesBelow(Path top) throws IOException {
    try (Stream<Path> files = Files.walk(top)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
