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
package io.statesql.benchmark.edit;

import io.statesql.benchmark.scan.BenchmarkSnapshot;
import io.statesql.benchmark.scan.MarkdownTable;
import io.statesql.benchmark.scan.Medians;
import io.statesql.benchmark.scan.Programs;
import io.statesql.benchmark.scan.SnapshotForm;
import io.statesql.benchmark.scan.SnapshotStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the same changes with StateSQL and with a program for the State Processor API, checks that
 * they come to the same, and prints the times beside that of a copy of the files.
 */
public final class EditBenchmark {
  private static final int FIRST_FORM = 4;
  private static final String PEER = "io.statesql.benchmark.flink.RewriteUsers";

  private final Programs programs;
  private final Path work;
  private final long keys;
  private final int runs;
  private final MarkdownTable table =
      new MarkdownTable(
          "snapshot",
          "change",
          "StateSQL, a process",
          "StateSQL, a warm JVM",
          "State Processor API",
          "ratio of processes",
          "copy of the files",
          "process / copy",
          "warm / copy");

  private final Collection<SnapshotForm> forms;

  private EditBenchmark(Programs programs, long keys, int runs, Collection<SnapshotForm> forms) {
    this.forms = forms;
    this.programs = programs;
    this.work = programs.root().resolve("src/benchmarks/target/edits");
    this.keys = keys;
    this.runs = runs;
  }

  /**
   * The arguments: the folder of the repository; the class path of the programs that use Flink; how
   * many keys the snapshots have; how often to run what is measured; the forms, all if none is
   * named.
   */
  public static void main(String[] args) throws Exception {
    Programs programs = new Programs(Path.of(args[0]), args[1]);
    Set<SnapshotForm> forms =
        Arrays.stream(args)
            .skip(FIRST_FORM)
            .map(form -> SnapshotForm.valueOf(form.toUpperCase(Locale.ROOT)))
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(SnapshotForm.class)));
    new EditBenchmark(
            programs,
            Long.parseLong(args[2]),
            Integer.parseInt(args[3]),
            forms.isEmpty() ? EnumSet.allOf(SnapshotForm.class) : forms)
        .run();
  }

  private void run() throws Exception {
    SnapshotStore store =
        new SnapshotStore(programs, programs.root().resolve("src/benchmarks/target/snapshots"));
    for (SnapshotForm form : forms) {
      BenchmarkSnapshot snapshot = store.get(form, keys);
      long copy = copy(snapshot);
      for (EditTask task : EditTask.values()) {
        System.err.println(form.title() + ": " + task.title());
        compare(snapshot, task, copy);
      }
    }
    Folders.delete(work);
    System.out.printf(Locale.ROOT, "%,d keys%n%n%s", keys, table);
  }

  private long copy(BenchmarkSnapshot snapshot) throws IOException {
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i <= runs; i++) {
      Folders.delete(work);
      long begin = System.nanoTime();
      Folders.copy(snapshot.path(), work.resolve("copy"));
      nanos.add(System.nanoTime() - begin);
    }
    System.err.printf(
        Locale.ROOT, "%,d bytes in %s%n", Folders.bytes(snapshot.path()), snapshot.path());
    return Medians.of(nanos.subList(1, nanos.size()));
  }

  private void compare(BenchmarkSnapshot snapshot, EditTask task, long copy) throws Exception {
    String expected = null;
    List<Long> processes = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      Folders.delete(work);
      processes.add(
          programs
              .launcher(
                  List.of(
                      snapshot.path().toString(),
                      "--silent=true",
                      "--commit-to",
                      work.toString(),
                      "-e",
                      task.sql()))
              .nanos());
      expected = look(committed());
    }
    long process = Medians.of(processes);
    long warm = warm(snapshot, task);
    Folders.delete(work);
    Path target = work.resolve("peer");
    List<String> arguments = new ArrayList<>();
    arguments.add(snapshot.path().toString());
    arguments.add(snapshot.form().backend());
    arguments.addAll(task.peerArguments());
    arguments.add(target.toString());
    long peer = programs.flink(PEER, arguments).nanos();
    String peers = look(target);
    String note = peers.equals(expected) ? "" : " (wrong sums)";
    table.add(
        snapshot.form().title(),
        task.title(),
        seconds(process),
        seconds(warm),
        seconds(peer) + note,
        ratio(peer, process),
        seconds(copy),
        ratio(process, copy),
        ratio(warm, copy));
  }

  /** From opening the snapshot to the end of the commit, in a JVM that did the same before. */
  private long warm(BenchmarkSnapshot snapshot, EditTask task) throws SQLException, IOException {
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i < 2 * runs + 1; i++) {
      Folders.delete(work);
      long begin = System.nanoTime();
      try (Connection connection =
              DriverManager.getConnection(
                  "jdbc:statesql:snapshot=" + snapshot.path() + ";commitTo=" + work);
          Statement statement = connection.createStatement()) {
        statement.executeLargeUpdate(task.sql());
      }
      nanos.add(System.nanoTime() - begin);
    }
    return Medians.of(nanos.subList(runs, nanos.size()));
  }

  private Path committed() throws IOException {
    try (Stream<Path> found = Files.list(work)) {
      return found.findFirst().orElseThrow();
    }
  }

  private static String look(Path savepoint) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:statesql:snapshot=" + savepoint);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(EditTask.LOOK)) {
      rows.next();
      return rows.getString(1) + ", " + rows.getString(2) + ", " + rows.getString(3);
    }
  }

  private static String ratio(long one, long other) {
    return String.format(Locale.ROOT, "%.1f", (double) one / other);
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
  }
}
