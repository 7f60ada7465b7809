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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ChecksumType;
import org.rocksdb.CompressionType;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.IndexType;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.SstFileWriter;

/** Checks tables that RocksDB itself wrote, in every form that it can be told to write. */
class TableCheckTest {
  private static final int ENTRIES = 3000;

  @TempDir private Path folder;

  @BeforeAll
  static void loadRocksDb() {
    RocksDB.loadLibrary();
  }

  @ParameterizedTest
  @CsvSource({
    "kCRC32c, 0",
    "kCRC32c, 2",
    "kCRC32c, 3",
    "kCRC32c, 4",
    "kxxHash, 5",
    "kxxHash64, 5",
    "kXXH3, 5",
    "kXXH3, 6",
    "kCRC32c, 6"
  })
  void eachFormatAndChecksum(ChecksumType checksums, int version) throws Exception {
    assertSound(
        new BlockBasedTableConfig().setChecksumType(checksums).setFormatVersion(version),
        CompressionType.SNAPPY_COMPRESSION);
  }

  @ParameterizedTest
  @EnumSource(IndexType.class)
  void eachIndex(IndexType type) throws Exception {
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setIndexType(type)
            .setMetadataBlockSize(256)
            .setIndexBlockRestartInterval(type == IndexType.kHashSearch ? 1 : 4);
    assertSound(table, CompressionType.SNAPPY_COMPRESSION);
    assertSound(table.setFormatVersion(2), CompressionType.NO_COMPRESSION);
  }

  @ParameterizedTest
  @CsvSource({
    "NO_COMPRESSION",
    "SNAPPY_COMPRESSION",
    "ZLIB_COMPRESSION",
    "LZ4_COMPRESSION",
    "LZ4HC_COMPRESSION",
    "ZSTD_COMPRESSION",
    "BZLIB2_COMPRESSION"
  })
  void eachCompression(CompressionType compression) throws Exception {
    assertSound(new BlockBasedTableConfig(), compression);
  }

  @Test
  void blocksWithAnIndexByHashAlignedBlocksAndFilters() throws Exception {
    assertSound(
        new BlockBasedTableConfig()
            .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash),
        CompressionType.NO_COMPRESSION);
    assertSound(
        new BlockBasedTableConfig().setBlockAlign(true).setBlockSize(4096),
        CompressionType.NO_COMPRESSION);
    assertSound(
        new BlockBasedTableConfig()
            .setFilterPolicy(new BloomFilter(10, false))
            .setIndexType(IndexType.kTwoLevelIndexSearch)
            .setPartitionFilters(true)
            .setMetadataBlockSize(256),
        CompressionType.SNAPPY_COMPRESSION);
  }

  @Test
  void aTableOfDeletedRangesAlone() throws Exception {
    Path file;
    try (Options options = new Options().setCreateIfMissing(true);
        FlushOptions flush = new FlushOptions();
        RocksDB database = RocksDB.open(options, folder.toString())) {
      database.deleteRange(key(1), key(5));
      database.flush(flush);
      file = folder.resolve(database.getLiveFilesMetaData().get(0).fileName().substring(1));
    }

    assertThat(TableCheck.check(file).smallest()).isNull();
  }

  @Test
  void aChangedBlockIsToldWithItsPlace() throws Exception {
    Path file = write(new BlockBasedTableConfig(), CompressionType.NO_COMPRESSION);
    byte[] bytes = Files.readAllBytes(file);
    bytes[100] ^= 1;
    Files.write(file, bytes);

    assertThatThrownBy(() -> TableCheck.check(file))
        .hasMessageContaining("in a block of its data, block checksum mismatch");
  }

  private void assertSound(BlockBasedTableConfig table, CompressionType compression)
      throws Exception {
    TableCheck.Facts facts = TableCheck.check(write(table, compression));

    // Two kinds of compression only RocksDB undoes.
    if (compression != CompressionType.ZSTD_COMPRESSION
        && compression != CompressionType.BZLIB2_COMPRESSION) {
      assertThat(facts.smallest()).isEqualTo(key(0));
      assertThat(facts.largest()).isEqualTo(key(ENTRIES - 1));
    }
  }

  private Path write(BlockBasedTableConfig table, CompressionType compression) throws Exception {
    Path file = folder.resolve("table.sst");
    try (Options options =
            new Options()
                .setTableFormatConfig(table)
                .setCompressionType(compression)
                .useFixedLengthPrefixExtractor(4);
        EnvOptions environment = new EnvOptions();
        SstFileWriter writer = new SstFileWriter(environment, options)) {
      writer.open(file.toString());
      for (int i = 0; i < ENTRIES; i++) {
        writer.put(key(i), ("value of " + i % 100).getBytes(StandardCharsets.UTF_8));
      }
      writer.finish();
    }
    return file;
  }

  private static byte[] key(int i) {
    return String.format("key %08d", i).getBytes(StandardCharsets.UTF_8);
  }
}
