package io.statesql.benchmark.scan;

import java.util.List;
import java.util.Locale;

/** The forms of snapshots that are measured. */
enum SnapshotForm {
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

  String title() {
    return title;
  }

  /** The state backend that writes it. */
  String backend() {
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
