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
package io.statesql.format.rocksdb.database;

/**
 * What a process and the one that reads a database for it say to each other: a request, and the
 * answer to it. Both are frames, four bytes of length and so many more. A request begins with its
 * kind, an answer with {@link #DONE} or {@link #FAULT}; byte strings have their length before them.
 *
 * <pre>
 * OPEN    folder, longest key or value                -> names of tables
 * ITERATE number, column family, from, to or nothing  -> whether there is the column family
 * FIRST   number, most entries                        -> entries
 * SEEK    number, most entries, target                -> entries
 * NEXT    number, most entries                        -> entries
 * CLOSE   numbers                                     -> nothing
 *
 * entries: each a one, the lengths of key and value, the key, and the value unless it is too long;
 *          then a zero, and whether there may be more behind them
 * a fault: the code of RocksDB's status, and its message
 * </pre>
 */
final class ReaderProtocol {
  static final byte OPEN = 1;
  static final byte ITERATE = 2;
  static final byte FIRST = 3;
  static final byte SEEK = 4;
  static final byte NEXT = 5;
  static final byte CLOSE = 6;

  static final byte DONE = 0;
  static final byte FAULT = 1;

  /** An answer ends with the entry by which it becomes as long as this. */
  static final int BATCH_BYTES = 1 << 18;

  /** No answer has more entries. */
  static final int BATCH_ENTRIES = 1024;

  /** What an answer may have beside two keys or values of the longest kind. */
  private static final int OTHER_BYTES = 1 << 24;

  private ReaderProtocol() {}

  /**
   * How long a frame may be.
   *
   * @param maxBytes how long a key or value may be
   */
  static int maxFrame(int maxBytes) {
    return (int) Math.min(2L * maxBytes + OTHER_BYTES, Integer.MAX_VALUE - 8);
  }
}
