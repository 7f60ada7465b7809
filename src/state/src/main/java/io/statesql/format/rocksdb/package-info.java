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
/**
 * Looks at the files of a RocksDB database before RocksDB does. RocksDB trusts a block whose
 * checksum is right: with a wrong length in one it reads beyond the end of its memory, which ends
 * the JVM, and a log of tables that leaves something out means missing rows to it. {@link
 * io.statesql.format.rocksdb.DatabaseCheck} is the way in.
 *
 * <p>What is read: the log of tables, and of each table the footer, the blocks around the data and
 * the first and last block of data. So the cost goes with the size of the indexes.
 */
@NullMarked
package io.statesql.format.rocksdb;

import org.jspecify.annotations.NullMarked;
