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
package io.statesql.acceptance.fuzz;

import io.statesql.acceptance.ProjectFiles;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Makes trials, each from a seed of its own, and lets several threads judge them. */
final class SqlFuzz {
  /** More need not be made shorter to see what is wrong. */
  private static final int MAX_FINDINGS = 20;

  private final Path odd;
  private final int statements;
  private final AtomicLong nextSeed;
  private final AtomicInteger run = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final List<String> findings = Collections.synchronizedList(new ArrayList<>());

  private SqlFuzz(Path odd, long firstSeed, int statements) {
    this.odd = odd;
    this.nextSeed = new AtomicLong(firstSeed);
    this.statements = statements;
  }

  /**
   * What came of it.
   *
   * @param refused how many statements ended with an error that is no wrong answer
   * @param findings each with its seed
   */
  record Outcome(int statements, int refused, List<String> findings) {}

  /**
   * @param folder for a snapshot
   * @param firstSeed that of the first trial; the others count up from it
   * @param statements how many statements StateSQL runs before the end
   */
  static Outcome run(Path folder, long firstSeed, int statements) throws Exception {
    SqlFuzz fuzz = new SqlFuzz(OddState.write(folder), firstSeed, statements);
    fuzz.run();
    return new Outcome(fuzz.run.get(), fuzz.refused.get(), fuzz.findings);
  }

  private void run() throws Exception {
    int threads = Math.min(statements, Runtime.getRuntime().availableProcessors());
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try (Connection duckDb = Engines.duckDb();
        Connection stateSql = Engines.stateSql(ProjectFiles.SAMPLE, odd, 1)) {
      List<Table> tables = Tables.copy(stateSql, duckDb);
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        workers.add(executor.submit(() -> judge(tables, duckDb)));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private Void judge(List<Table> tables, Connection duckDb) throws SQLException {
    try (Engines engines = Engines.open(ProjectFiles.SAMPLE, odd, duckDb)) {
      Judge judge = new Judge(engines);
      while (run.get() < statements && findings.size() < MAX_FINDINGS) {
        long seed = nextSeed.getAndIncrement();
        Trial trial = Trials.of(new Grammar(new Dice(seed), tables));
        run.addAndGet(trial.runs().size());
        int refusedBefore = judge.refused();
        Finding finding = judge.judge(trial);
        refused.addAndGet(judge.refused() - refusedBefore);
        if (finding != null) {
          Finding shortest = Reducer.reduce(judge, finding);
          findings.add("seed %d: %s\nor shorter: %s\n".formatted(seed, finding, shortest));
        }
      }
    }
    return null;
  }
}
