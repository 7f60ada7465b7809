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

import io.statesql.type.MalformedValueException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks one table: that all places are within the file and no two blocks of data overlap or leave
 * something out, that the index is sorted and counts as many blocks as the table says it has, and
 * that the first and last block hold keys that belong there. Not thread-safe.
 */
final class TableCheck {
  private static final String DICTIONARY = "rocksdb.compression_dict";
  private static final int GAP_BUFFER = 1 << 12;

  private final TableFile file;
  private final Map<String, BlockPlace> metaBlocks = new HashMap<>();
  private final TableProperties properties;
  private final TableIndex index;
  private long blocks;
  private long end;
  private byte @Nullable [] smallest;
  private byte @Nullable [] largest;
  private byte @Nullable [] lastBefore;
  private byte @Nullable [] lastKey;
  private @Nullable BlockPlace lastPlace;

  private TableCheck(TableFile file) throws IOException {
    this.file = file;
    readMetaIndex();
    TableBlock block = block("rocksdb.properties", "its properties");
    if (block == null) {
      throw new MalformedValueException(file.footer().start(), "it has no properties");
    }
    this.properties = new TableProperties(block);
    this.index = new TableIndex(file, properties);
  }

  /**
   * What is known of a table that is sound.
   *
   * @param smallest the first key of the data without its sequence number; null if that cannot be
   *     told, or there is none
   * @param largest the last one, likewise
   * @param columnFamily the name of the column family for which the table was written, if it says
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and read by those alone who made it
  record Facts(
      long length,
      byte @Nullable [] smallest,
      byte @Nullable [] largest,
      @Nullable String columnFamily) {}

  /**
   * Checks a table.
   *
   * @throws MalformedValueException if it is not sound
   */
  static Facts check(Path path) throws IOException {
    try (TableFile file = TableFile.open(path)) {
      return new TableCheck(file).check();
    }
  }

  private void readMetaIndex() throws IOException {
    TableBlock block = file.block(file.footer().metaIndex(), "its meta index");
    if (block == null) {
      throw new MalformedValueException(
          file.footer().metaIndex().offset(), "its meta index is compressed");
    }
    BlockEntries entries = new BlockEntries(block, BlockEntries.Form.WITH_LENGTHS);
    byte[] last = null;
    while (entries.next()) {
      byte[] name = entries.key();
      if (last != null && Arrays.compareUnsigned(last, name) >= 0) {
        throw entries.fault("a name does not follow the one before it");
      }
      BlockPlace place = BlockPlace.read(entries.value());
      if (!place.isWithin(file.footer().start())) {
        throw entries.fault("a block is outside of the file");
      }
      metaBlocks.put(new String(name, UTF_8), place);
      last = name;
    }
  }

  private @Nullable TableBlock block(String name, String what) throws IOException {
    BlockPlace place = metaBlocks.get(name);
    return place == null ? null : file.block(place, what);
  }

  private Facts check() throws IOException {
    BlockPlace root = file.footer().index();
    if (root == null) {
      root = metaBlocks.get("rocksdb.index");
    }
    if (root == null) {
      throw new MalformedValueException(file.footer().start(), "it has no index");
    }
    if (index.walk(root, this::dataBlock)) {
      requireCounts(root);
      if (lastPlace != null && lastKey != null) {
        checkData(lastPlace, lastBefore, lastKey);
      }
    }
    checkRangeDeletions();
    return new Facts(
        file.length(), smallest, largest, properties.text("rocksdb.column.family.name"));
  }

  private void dataBlock(byte @Nullable [] before, byte[] key, BlockPlace place)
      throws IOException {
    requireNoGap(place);
    end = place.end();
    blocks++;
    if (blocks == 1) {
      checkData(place, before, key);
    }
    lastBefore = before;
    lastKey = key;
    lastPlace = place;
  }

  /** Blocks follow each other; where they are aligned to pages, zeros are between them. */
  private void requireNoGap(BlockPlace place) throws IOException {
    if (place.offset() < end) {
      throw new MalformedValueException(
          place.offset(), "two blocks of its data overlap, as its index has it");
    }
    long at = end;
    while (at < place.offset()) {
      int count = (int) Math.min(GAP_BUFFER, place.offset() - at);
      for (byte next : file.bytes(at, count)) {
        if (next != 0) {
          throw new MalformedValueException(at, "its index leaves out a block of data");
        }
        at++;
      }
    }
  }

  private void requireCounts(BlockPlace root) {
    long stated = properties.count("rocksdb.num.data.blocks");
    if (stated != blocks) {
      throw new MalformedValueException(
          root.offset(),
          "its index has " + blocks + " blocks of data, and its properties say " + stated);
    }
    if (properties.count("rocksdb.num.entries") < blocks) {
      throw new MalformedValueException(
          root.offset(), "its properties say that it has fewer entries than blocks of data");
    }
    long dataEnd = properties.count("rocksdb.data.size");
    if (blocks > 0 && (dataEnd < end || dataEnd > file.footer().start())) {
      throw new MalformedValueException(
          end, "its data ends here, and as its properties have it at " + dataEnd);
    }
  }

  /** Notes the smallest and largest key of a block of data. */
  private void checkData(BlockPlace place, byte @Nullable [] before, byte[] key)
      throws IOException {
    // A dictionary is needed to decompress.
    TableBlock block =
        metaBlocks.containsKey(DICTIONARY) ? null : file.block(place, "a block of its data");
    if (block == null) {
      return;
    }
    DataBlockCheck data = new DataBlockCheck(block, index.hasUserKeys());
    data.check(before, key);
    if (smallest == null) {
      smallest = data.smallest();
    }
    largest = data.largest();
  }

  private void checkRangeDeletions() throws IOException {
    TableBlock block = block("rocksdb.range_del", "its deleted ranges");
    if (block != null) {
      BlockEntries entries = new BlockEntries(block, BlockEntries.Form.WITH_LENGTHS);
      while (entries.next()) {
        if (entries.key().length < InternalKey.TRAILER) {
          throw entries.fault("a key is too short for a sequence number");
        }
      }
    }
  }
}
