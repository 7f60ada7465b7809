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

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.type.MalformedValueException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ChecksumType;
import org.rocksdb.EnvOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.SstFileWriter;

/** Checks tables that RocksDB itself wrote. */
class TableFooterTest {
  private static final int CHECKSUM_TYPE = 53;
  private static final int META_INDEX_SIZE = 53 - 3;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"kCRC32c, 0", "kCRC32c, 2", "kxxHash, 5", "kxxHash64, 5", "kXXH3, 5", "kXXH3, 6"})
  void acceptsWhatRocksDbWrites(ChecksumType checksums, int version) throws Exception {
    byte[] table = table(checksums, version);

    assertThatCode(() -> check(table)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 6})
  void refusesATableWithoutChecksums(int version) throws Exception {
    byte[] table = table(ChecksumType.kNoChecksum, version);

    assertThatThrownBy(() -> check(table))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("no checksums");
  }

  @Test
  void refusesAPlaceOutsideOfTheFile() throws Exception {
    byte[] table = table(ChecksumType.kXXH3, 5);
    Arrays.fill(
        table, table.length - META_INDEX_SIZE, table.length - META_INDEX_SIZE + 5, (byte) -1);

    assertThatThrownBy(() -> check(table))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("outside of the file");
  }

  @Test
  void refusesANumberThatNeverEnds() throws Exception {
    byte[] table = table(ChecksumType.kXXH3, 5);
    Arrays.fill(table, table.length - CHECKSUM_TYPE + 1, table.length - 12, (byte) -1);

    assertThatThrownBy(() -> check(table))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining("never ends");
  }

  @Test
  void refusesWhatIsNoTable() {
    assertThatThrownBy(() -> check(new byte[0])).hasMessageContaining("too short");
    assertThatThrownBy(() -> check(new byte[100])).hasMessageContaining("does not end as a table");
  }

  private static void check(byte[] table) {
    int from = Math.max(0, table.length - TableFooter.BYTES);
    TableFooter.read(Arrays.copyOfRange(table, from, table.length), table.length);
  }

  private byte[] table(ChecksumType checksums, int version) throws Exception {
    RocksDB.loadLibrary();
    Path file = folder.resolve("table.sst");
    BlockBasedTableConfig config =
        new BlockBasedTableConfig().setChecksumType(checksums).setFormatVersion(version);
    try (Options options = new Options().setTableFormatConfig(config);
        EnvOptions environment = new EnvOptions();
        SstFileWriter writer = new SstFileWriter(environment, options)) {
      writer.open(file.toString());
      writer.put(new byte[] {1}, new byte[] {2});
      writer.finish();
    }
    return Files.readAllBytes(file);
  }
}
