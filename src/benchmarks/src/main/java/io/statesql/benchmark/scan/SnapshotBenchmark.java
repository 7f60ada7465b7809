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

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Asks StateSQL and Flink's State Processor API the same questions to the same snapshots, checks
 * that they give the same answers, and prints times, memory and ratios. Beside them bare loops say
 * how fast the same bytes can be read at all.
 */
public final class SnapshotBenchmark {
  private static final long MEGABYTE = 1L << 20;

  /** So long a JVM answers, at least once, before it is taken for warm. */
  private static final int WARM_UP_SECONDS = 10;

  /** So often a bare loop runs before it is taken for warm. */
  private static final int WARM_UPS = 20;

  private final SnapshotStore snapshots;
  private final StateSqlContestant ours;
  private final Contestant peer;
  private final Floors floors;
  private final long keys;
  private final int runs;
  private final Map<Question, String> expected = new EnumMap<>(Question.class);
  private final MarkdownTable table =
      new MarkdownTable(
          "snapshot",
          "question",
          "in",
          "StateSQL",
          "State Processor API",
          "ratio",
          "StateSQL's memory",
          "API's memory");
  private final MarkdownTable floorTable =
      new MarkdownTable("snapshot", "bare loop", "first time", "warm", "StateSQL, warm");

  /** StateSQL's warm times for the present snapshot. */
  private final Map<Question, Long> warmNanos = new EnumMap<>(Question.class);

  private SnapshotBenchmark(Programs programs, long keys, int runs) {
    this.snapshots =
        new SnapshotStore(programs, programs.root().resolve("src/benchmarks/target/snapshots"));
    this.ours = new StateSqlContestant(programs, WARM_UP_SECONDS, 3 * runs);
    this.peer = new FlinkContestant(programs, WARM_UP_SECONDS, runs);
    this.floors = new Floors(programs, WARM_UPS, 3 * runs);
    this.keys = keys;
    this.runs = runs;
  }

  /**
   * The arguments: the folder of the repository; the class path of the programs that use Flink; how
   * many keys the snapshots have; how often to run what is measured.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Programs programs = new Programs(Path.of(args[0]), args[1]);
    new SnapshotBenchmark(programs, Long.parseLong(args[2]), Integer.parseInt(args[3])).run();
  }

  private void run() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    double loadBefore = load();
    for (SnapshotForm form : SnapshotForm.values()) {
      BenchmarkSnapshot snapshot = snapshots.get(form, keys);
      for (Question question : Question.values()) {
        progress(form.title() + ": " + question.title());
        compare(snapshot, question);
      }
      for (Floor floor : Floor.of(form)) {
        progress(form.title() + ": " + floor.title());
        measure(snapshot, floor);
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%,d keys, %d processes each, %d processors, load %.1f before and %.1f after, %.0f minutes%n%n%s%n%s",
        keys,
        runs,
        Runtime.getRuntime().availableProcessors(),
        loadBefore,
        load(),
        (System.nanoTime() - begin) / 60e9,
        table,
        floorTable);
  }

  private void compare(BenchmarkSnapshot snapshot, Question question)
      throws IOException, InterruptedException {
    String expected = expectedAnswer(question);
    requireRight(ours.once(snapshot, question).answer(), expected, snapshot, question);
    Score our = Score.of(ours, snapshot, question, expected, runs);
    Score peers = Score.of(peer, snapshot, question, expected, runs);
    if (!our.isRight()) {
      throw new IllegalStateException("StateSQL answered differently at times: " + question);
    }
    warmNanos.put(question, our.warmNanos());
    progress(
        "  StateSQL %s, warm %s; State Processor API %s, warm %s"
            .formatted(
                seconds(our.processNanos()),
                seconds(our.warmNanos()),
                seconds(peers.processNanos()),
                seconds(peers.warmNanos())));
    String note = peers.isRight() ? "" : " (wrong sums)";
    table.add(
        snapshot.form().title(),
        question.title(),
        "a process",
        seconds(our.processNanos()),
        seconds(peers.processNanos()) + note,
        ratio(peers.processNanos(), our.processNanos()),
        our.processMemory() / MEGABYTE + " MB",
        peers.processMemory() / MEGABYTE + " MB");
    table.add(
        snapshot.form().title(),
        question.title(),
        "a warm JVM",
        seconds(our.warmNanos()),
        seconds(peers.warmNanos()) + note,
        ratio(peers.warmNanos(), our.warmNanos()),
        "",
        "");
    if (question == Question.ONE_KEY) {
      comparePrepared(snapshot, expected, peers.warmNanos());
    }
  }

  /** The question about one key without the time to plan it: the API's has none. */
  private void comparePrepared(BenchmarkSnapshot snapshot, String expected, long peerNanos)
      throws IOException, InterruptedException {
    long key = Question.ONE_KEY.keys(snapshot.keys()).findFirst().orElseThrow();
    List<Answer> answers = ours.prepared(snapshot, key);
    requireRight(answers.get(0), expected, snapshot, Question.ONE_KEY);
    long nanos = Medians.of(answers.stream().map(Answer::nanos).toList());
    progress("  prepared " + seconds(nanos));
    table.add(
        snapshot.form().title(),
        Question.ONE_KEY.title() + ", prepared",
        "a warm JVM",
        seconds(nanos),
        seconds(peerNanos),
        ratio(peerNanos, nanos),
        "",
        "");
  }

  /**
   * What Flink's hashmap backend says of the canonical snapshot. All snapshots hold the same, and
   * Flink's reader of RocksDB returns some keys more than once.
   */
  private String expectedAnswer(Question question) throws IOException, InterruptedException {
    String known = expected.get(question);
    if (known == null) {
      BenchmarkSnapshot reference = snapshots.get(SnapshotForm.CANONICAL, keys);
      known = peer.once(reference, question).answer().sums();
      expected.put(question, known);
    }
    return known;
  }

  private static void requireRight(
      Answer answer, String expected, BenchmarkSnapshot snapshot, Question question) {
    if (!answer.sums().equals(expected)) {
      throw new IllegalStateException(
          snapshot.form().title()
              + ", "
              + question.title()
              + ": StateSQL answers "
              + answer.sums()
              + " and Flink "
              + expected);
    }
  }

  private void measure(BenchmarkSnapshot snapshot, Floor floor)
      throws IOException, InterruptedException {
    Floors.Result result = floors.measure(floor, snapshot);
    if (floor == Floor.DECODE) {
      requireRight(result.cold(), expectedAnswer(Question.SCAN), snapshot, Question.SCAN);
    }
    long warm = Medians.of(result.warm().stream().map(Answer::nanos).toList());
    progress("  first time " + seconds(result.cold().nanos()) + ", warm " + seconds(warm));
    floorTable.add(
        snapshot.form().title(),
        floor.title(),
        seconds(result.cold().nanos()),
        seconds(warm),
        floor.questions().stream()
            .map(question -> question.title() + ": " + ratio(warmNanos.get(question), warm))
            .collect(Collectors.joining("; ")));
  }

  /** How many processes wanted a processor within the last minute, by the count of the system. */
  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static void progress(String text) {
    System.err.println(text);
  }

  private static String ratio(long nanos, long others) {
    return String.format(Locale.ROOT, "%.1f", (double) nanos / others);
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, nanos < 100_000_000 ? "%.4f s" : "%.2f s", nanos / 1e9);
  }
}
