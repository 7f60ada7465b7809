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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Changes something in one block of an uncompressed table, and makes the checksum right again. */
public final class HostileTable {
  /** What is changed in a footer, which has no checksum: the places in it. */
  private static final int FOOTER_PLACES = 20;

  private final byte[] bytes;
  private final Random random;
  private final List<BlockPlace> index = new ArrayList<>();
  private final List<BlockPlace> meta = new ArrayList<>();
  private final List<BlockPlace> data = new ArrayList<>();
  private TableFooter footer;

  /**
   * @param bytes of the whole table
   */
  public HostileTable(byte[] bytes, Random random) {
    this.bytes = bytes;
    this.random = random;
  }

  /** Changes the bytes, and says how. */
  public String change() {
    try {
      findBlocks();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    int kind = random.nextInt(20);
    if (kind == 0) {
      int start = bytes.length - TableFooter.BYTES + 1;
      return "footer " + new HostileBytes(bytes, start, FOOTER_PLACES, random).change();
    }
    List<BlockPlace> from = kind < 9 ? index : kind < 14 ? meta : data;
    BlockPlace place = from.get(random.nextInt(from.size()));
    HostileBytes block = new HostileBytes(bytes, (int) place.offset(), (int) place.size(), random);
    String what = random.nextInt(3) == 0 ? block.changeRestarts() : block.change();
    sign(place);
    return (from == index ? "index " : from == meta ? "meta " : "data ") + place + " " + what;
  }

  private void findBlocks() throws IOException {
    Path copy = Files.createTempFile("hostile", ".sst");
    try {
      Files.write(copy, bytes);
      try (TableFile file = TableFile.open(copy)) {
        footer = file.footer();
        findBlocks(file);
      }
    } finally {
      Files.delete(copy);
    }
  }

  private void findBlocks(TableFile file) throws IOException {
    meta.add(footer.metaIndex());
    index.add(footer.index());
    TableProperties properties = null;
    BlockEntries entries =
        new BlockEntries(
            file.block(footer.metaIndex(), "its meta index"), BlockEntries.Form.WITH_LENGTHS);
    while (entries.next()) {
      BlockPlace place = BlockPlace.read(entries.value());
      meta.add(place);
      if (new String(entries.key(), java.nio.charset.StandardCharsets.UTF_8)
          .equals("rocksdb.properties")) {
        properties = new TableProperties(file.block(place, "its properties"));
      }
    }
    new TableIndex(file, properties).walk(footer.index(), (before, key, place) -> data.add(place));
    findParts(file, properties);
  }

  /** The parts of an index stand between the data and what describes the table. */
  private void findParts(TableFile file, TableProperties properties) throws IOException {
    if (properties.indexType() == TableProperties.TWO_LEVELS) {
      BlockEntries parts =
          new BlockEntries(
              file.block(footer.index(), "the index of its index"),
              properties.flag("rocksdb.index.value.is.delta.encoded")
                  ? BlockEntries.Form.WITHOUT_LENGTHS
                  : BlockEntries.Form.WITH_LENGTHS);
      while (parts.next() && parts.isWhole()) {
        index.add(BlockPlace.read(parts.value()));
      }
    }
  }

  private void sign(BlockPlace place) {
    int end = (int) (place.offset() + place.size());
    byte[] block = java.util.Arrays.copyOfRange(bytes, (int) place.offset(), end + 1);
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(end + 1, BlockChecksum.of(footer, place.offset(), block, block.length));
  }
}
