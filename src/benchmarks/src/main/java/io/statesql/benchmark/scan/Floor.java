package io.statesql.benchmark.scan;

import java.util.List;

/** What a bare loop does with the bytes of a snapshot. */
enum Floor {
  PARSE("lengths of entries read, keys and values skipped"),
  DECODE("every value decoded, sums over all states"),
  ITERATE("RocksDB opened, every key and value fetched");

  private final String title;

  Floor(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Those that make sense for a form. */
  static List<Floor> of(SnapshotForm form) {
    return form == SnapshotForm.ROCKSDB ? List.of(ITERATE) : List.of(PARSE, DECODE);
  }
}
