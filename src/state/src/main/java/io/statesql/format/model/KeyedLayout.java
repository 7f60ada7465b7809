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
package io.statesql.format.model;

/** How the bytes of keyed state are laid out. */
public enum KeyedLayout {
  /** Entries with lengths, as every backend writes savepoints, and RocksDB its full checkpoints. */
  CANONICAL,
  /** State by state without lengths: checkpoints and native savepoints of the heap backend. */
  HEAP,
  /** The files of a RocksDB database. */
  ROCKSDB,
  /** Changes to be applied to what other handles hold. */
  CHANGELOG,
  /** Timers beside the keyed state of a RocksDB backend. */
  RAW_TIMERS
}
