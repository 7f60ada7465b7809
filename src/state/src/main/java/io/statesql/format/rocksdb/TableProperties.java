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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a table says of itself ({@code TablePropertiesNames} of RocksDB). */
final class TableProperties {
  /** How the index is laid out: table/block_based/block_based_table_factory.cc. */
  static final int TWO_LEVELS = 2;

  static final int WITH_FIRST_KEY = 3;

  private static final String BYTEWISE = "leveldb.BytewiseComparator";

  private final TableBlock block;
  private final Map<String, RocksDbInput> values = new HashMap<>();

  TableProperties(TableBlock block) {
    this.block = block;
    BlockEntries entries = new BlockEntries(block, BlockEntries.Form.WITH_LENGTHS);
    byte[] last = null;
    while (entries.next()) {
      byte[] name = entries.key();
      if (last != null && Arrays.compareUnsigned(last, name) >= 0) {
        throw entries.fault("a name does not follow the one before it");
      }
      values.put(new String(name, UTF_8), entries.value());
      last = name;
    }
    String comparator = text("rocksdb.comparator");
    if (comparator != null && !comparator.equals(BYTEWISE)) {
      throw block.fault(0, "the order of keys is that of \"" + comparator + "\", not byte by byte");
    }
  }

  /** Reads a number, which must be there and not above what a file may hold. */
  long count(String name) {
    Long value = number(name);
    if (value == null || value < 0) {
      throw block.fault(0, "there is no sound number " + name);
    }
    return value;
  }

  boolean flag(String name) {
    Long value = number(name);
    return value != null && value != 0;
  }

  private @Nullable Long number(String name) {
    RocksDbInput value = values.get(name);
    if (value == null) {
      return null;
    }
    int start = value.position();
    long number = value.varint64();
    value.requireEnd();
    value.back(start);
    return number;
  }

  int indexType() {
    RocksDbInput value = values.get("rocksdb.block.based.table.index.type");
    if (value == null) {
      return 0;
    }
    if (value.remaining() != Integer.BYTES) {
      throw value.fault(value.position(), "the type of the index is no number");
    }
    int type =
        ByteBuffer.wrap(value.bytes()).order(ByteOrder.LITTLE_ENDIAN).getInt(value.position());
    if (type < 0 || type > WITH_FIRST_KEY) {
      throw value.fault(value.position(), "there is no type " + type + " of index");
    }
    return type;
  }

  @Nullable String text(String name) {
    RocksDbInput value = values.get(name);
    return value == null
        ? null
        : new String(value.bytes(), value.position(), value.remaining(), UTF_8);
  }
}
