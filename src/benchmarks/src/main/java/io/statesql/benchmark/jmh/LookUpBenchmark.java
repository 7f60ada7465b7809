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
package io.statesql.benchmark.jmh;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One key over JDBC: parsed and planned each time. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class LookUpBenchmark {
  @Param({"canonical", "compressed", "rocksdb"})
  private String form;

  private Connection connection;
  private long next;

  @Setup
  public void connect() throws SQLException {
    connection = DriverManager.getConnection("jdbc:statesql:snapshot=" + JmhSnapshots.path(form));
  }

  @TearDown
  public void close() throws SQLException {
    connection.close();
  }

  /** Another key each time, all states of it. */
  @Benchmark
  public long oneKey() throws SQLException {
    next = (next + 7919) % 100_000;
    try (Statement statement = connection.createStatement();
        ResultSet results =
            statement.executeQuery(
                "SELECT * FROM \"users\".keyed_state WHERE state_key = " + next)) {
      if (!results.next()) {
        throw new IllegalStateException("Key " + next + " is missing");
      }
      return results.getLong("total");
    }
  }
}
