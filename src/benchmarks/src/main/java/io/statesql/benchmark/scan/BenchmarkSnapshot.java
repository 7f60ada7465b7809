package io.statesql.benchmark.scan;

import java.nio.file.Path;

/** A snapshot to ask. */
record BenchmarkSnapshot(SnapshotForm form, long keys, Path path) {}
