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
package io.statesql.benchmark.scan;

import java.util.List;
import java.util.Locale;

/** The forms of snapshots that are measured. */
public enum SnapshotForm {
  CANONICAL("canonical", "hashmap", "CANONICAL", false),
  COMPRESSED("canonical, compressed", "hashmap", "CANONICAL", true),
  ROCKSDB("RocksDB native", "rocksdb", "NATIVE", false);

  private final String title;
  private final String backend;
  private final String format;
  private final boolean compressed;

  SnapshotForm(String title, String backend, String format, boolean compressed) {
    this.title = title;
    this.backend = backend;
    this.format = format;
    this.compressed = compressed;
  }

  public String title() {
    return title;
  }

  /** The state backend that writes it. */
  public String backend() {
    return backend;
  }

  String folderName(long keys) {
    return name().toLowerCase(Locale.ROOT) + "-" + keys;
  }

  /** What the program that writes snapshots wants to know. */
  List<String> writerArguments() {
    return List.of(backend, format, String.valueOf(compressed));
  }
}
