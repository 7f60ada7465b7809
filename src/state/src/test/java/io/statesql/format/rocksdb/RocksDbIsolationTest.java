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

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.HostContext;
import io.statesql.ReadCounters;
import io.statesql.ScanContext;
import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.rocksdb.database.Database;
import io.statesql.format.rocksdb.database.EntryIterator;
import io.statesql.format.rocksdb.database.IsolatedDatabase;
import io.statesql.format.rocksdb.database.ReadingProcessException;
import io.statesql.format.work.WorkFolder;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.KeyedStateHandle.LocalFile;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;

/** What a user gets of snapshots whose RocksDB files another process reads. */
class RocksDbIsolationTest {
  private static final int MAX_BYTES = 1 << 20;
  private static final int MINUTES = 2;
  private static final int THREADS = 4;

  @TempDir private static Path folder;
  private static Path workDir;
  private static Snapshot trusted;
  private static Snapshot snapshot;
  private static KeyedSplit split;

  @BeforeAll
  static void writeSample() throws Exception {
    Path place =
        RocksDbSample.write(
            folder,
            (BlockBasedTableConfig table) -> table.setFormatVersion(5),
            CompressionType.NO_COMPRESSION);
    trusted = Snapshot.open(place.toString());
    snapshot = trusted.isolated(true);
    split = RocksDbBackend.splits(snapshot).get(0);
    workDir = Files.createDirectory(folder.resolve("work"));
    System.setProperty(WorkFolder.BASE_PROPERTY, workDir.toString());
  }

  @AfterAll
  static void useTheDefaultPlaceAgain() {
    System.clearProperty(WorkFolder.BASE_PROPERTY);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    assertThat(readers()).isEmpty();
    assertThat(filesBelow(workDir)).isEmpty();
  }

  @Test
  void showsWhatIsSeenWithoutIsolation() {
    List<RocksDbRow> rows = RocksDbBackend.rows(trusted);

    assertThat(rows).hasSizeGreaterThan(1000);
    assertThat(RocksDbBackend.rows(snapshot)).isEqualTo(rows);
  }

  @Test
  void severalThreadsReadAtATime() throws Exception {
    List<RocksDbRow> rows = RocksDbBackend.rows(trusted);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    // What is opened once for all of them is open as long as this is.
    try (KeyedElements first = IsolatedReading.open(snapshot, split)) {
      assertThat(first.next()).isTrue();
      Callable<List<RocksDbRow>> reading = () -> RocksDbRow.of(snapshot, split);

      for (Future<List<RocksDbRow>> read :
          threads.invokeAll(java.util.Collections.nCopies(THREADS, reading))) {
        assertThat(read.get()).isEqualTo(rows);
      }
      assertThat(readers()).hasSize(1);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aProcessThatIsKilledAmidstAScanIsOneStatementsError() {
    try (KeyedElements elements = IsolatedReading.open(snapshot, split)) {
      assertThat(elements.next()).isTrue();
      readers().forEach(ProcessHandle::destroyForcibly);

      assertThatThrownBy(() -> readAll(elements))
          .isInstanceOfSatisfying(
              StateSqlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.READER_ENDED))
          .hasMessageContaining("Operator \"rocks\", subtask 0")
          .hasMessageContaining(split.file())
          .hasMessageContaining("ended with ")
          .hasMessageContaining("The next statement gets another");
      // Also while the first one is still open.
      assertThat(RocksDbRow.of(snapshot, split)).isEqualTo(RocksDbBackend.rows(trusted));
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aProcessThatHangsEndsWithTheStatementThatIsStopped() throws Exception {
    AtomicBoolean stopped = new AtomicBoolean();
    Cancellation cancellation =
        () -> {
          if (stopped.get()) {
            throw new StateSqlException(ErrorCode.CANCELED, "Stopped.");
          }
        };
    try (KeyedElements elements =
        IsolatedReading.open(
            snapshot.within(new ScanContext(cancellation, new ReadCounters())), split)) {
      assertThat(elements.next()).isTrue();
      ProcessHandle reader = readers().iterator().next();
      new ProcessBuilder("kill", "-STOP", Long.toString(reader.pid())).start().waitFor();
      stopped.set(true);

      assertThatThrownBy(() -> readAll(elements))
          .isInstanceOfSatisfying(
              StateSqlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELED));
      reader.onExit().get(MINUTES, TimeUnit.MINUTES);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void filesThatMakeNativeCodeTakeTooMuchMemoryEndTheOtherProcess() throws Exception {
    Path files = layOut("greedy");
    for (Path table : tables(files)) {
      claimHugeIndex(table);
    }

    assertThatThrownBy(() -> readAll(files)).isInstanceOf(ReadingProcessException.class);
    assertThat(readAll(layOut("sound"))).isPositive();
  }

  @Test
  void aProcessEndsWithTheOneThatItReadsFor() throws Exception {
    Path works = Files.createDirectory(folder.resolve("killed"));
    Process parent =
        new ProcessBuilder(
                RocksDbTestProcess.command(
                    works, IsolatedReading.class, trusted.folder().getPath()))
            .redirectError(folder.resolve("errors").toFile())
            .start();
    ProcessHandle reader;
    try (BufferedReader printed =
        new BufferedReader(new InputStreamReader(parent.getInputStream(), UTF_8))) {
      reader = ProcessHandle.of(Long.parseLong(printed.readLine())).orElseThrow();
      assertThat(reader.isAlive()).isTrue();
    } finally {
      parent.destroyForcibly();
    }
    reader.onExit().get(MINUTES, TimeUnit.MINUTES);
    // What both left goes with the next one.
    RocksDbTestProcess.run(
        works, folder.resolve("output"), RocksDbFolderHolder.class, RocksDbFolderHolder.EXIT);
    assertThat(filesBelow(works)).isEmpty();
  }

  private static void readAll(KeyedElements elements) {
    boolean more = true;
    while (more) {
      more = elements.next();
    }
  }

  /** Reads a database that nobody has checked. */
  private static int readAll(Path files) throws Exception {
    int entries = 0;
    try (Database database =
        IsolatedDatabase.open(files, HostContext.ofThisProcess(), MAX_BYTES, Cancellation.NEVER)) {
      try (var reader = database.read(new byte[0], null, Cancellation.NEVER)) {
        EntryIterator iterator = reader.over("map");
        boolean more = iterator.seekToFirst();
        while (more) {
          entries++;
          more = iterator.next();
        }
      }
    }
    return entries;
  }

  private static Path layOut(String name) throws IOException {
    Path target = Files.createDirectory(folder.resolve(name));
    KeyedStateHandle.Incremental handle = (KeyedStateHandle.Incremental) split.handle();
    List<LocalFile> all = new ArrayList<>(handle.shared());
    all.addAll(handle.privateFiles());
    for (LocalFile file : all) {
      if (!RocksDbFiles.isNeedless(file.localPath())) {
        try (StateFile in = trusted.open(file.handle())) {
          byte[] bytes = new byte[(int) in.length()];
          in.readFully(bytes, 0, bytes.length);
          Files.write(target.resolve(file.localPath()), bytes);
        }
      }
    }
    return target;
  }

  private static List<Path> tables(Path files) throws IOException {
    try (Stream<Path> all = Files.list(files)) {
      return all.filter(file -> file.toString().endsWith(".sst")).toList();
    }
  }

  /** The footer of a table has no checksum: here it says that the index is larger than memory. */
  private static void claimHugeIndex(Path table) throws IOException {
    TableFooter footer;
    try (TableFile file = TableFile.open(table)) {
      footer = file.footer();
    }
    byte[] bytes = Files.readAllBytes(table);
    ByteBuffer places = ByteBuffer.wrap(bytes, (int) footer.start() + 1, 40);
    putVarint(places, footer.metaIndex().offset());
    putVarint(places, footer.metaIndex().size());
    putVarint(places, footer.index().offset());
    putVarint(places, 1L << 40);
    Files.write(table, bytes);
  }

  private static void putVarint(ByteBuffer target, long value) {
    long rest = value;
    while (rest > 0x7F) {
      target.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    target.put((byte) rest);
  }

  /** The processes that read for this one. */
  private static Set<ProcessHandle> readers() {
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().commandLine().orElse("").contains("ReaderMain"))
        .collect(Collectors.toSet());
  }

  private static List<Path> filesBelow(Path top) throws IOException {
    try (Stream<Path> files = Files.walk(top)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
