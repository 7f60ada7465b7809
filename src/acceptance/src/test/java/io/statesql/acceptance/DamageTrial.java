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
package io.statesql.acceptance;

import static io.statesql.acceptance.QueryResult.quote;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Damages a snapshot again and again and runs statements on it; the main program of a JVM with
 * little memory. Prints a line for each statement that ended as none may, and a summary.
 *
 * <p>A statement may end with an error or with rows. What rows may differ in follows from what one
 * wrong bit can do that no checksum covers: change a value, a key or a name. So a table of a file
 * that is whole is as it was; else, beyond the header, at most the rows of one entry change; and a
 * table does not become empty.
 */
final class DamageTrial {
  private static final int SECONDS_PER_CASE = 120;

  /** How many tables of the damaged operator each case reads. */
  private static final int TABLES_PER_CASE = 3;

  /** What may be wrong with a snapshot, or be missing in it once its names have changed. */
  private static final Set<String> SQL_STATES =
      Set.of("XX001", "58P01", "58S01", "58S02", "0A001", "3F000", "42S02", "22008");

  /** States whose message is about a file. */
  private static final Set<String> SQL_STATES_OF_FILES = Set.of("XX001", "58P01", "58S01");

  private static final Pattern LEAK =
      Pattern.compile(
          "[\n\r]|Exception|\\bjava\\.(?:lang|io|nio)|\\bio\\.statesql\\.(?!examples\\.)");

  private final Path sound;
  private final Path work;

  /** The tables whose state lies in each file, as they are read when all is well. */
  private final Map<String, List<String>> tablesByFile = new TreeMap<>();

  private final Map<String, List<List<Object>>> soundRows = new TreeMap<>();

  /** The same of tables that are too small to be checked, too. */
  private final Map<String, List<List<Object>>> allRows = new TreeMap<>();

  private List<List<Object>> soundStates = List.of();
  private final List<String> faults = new ArrayList<>();
  private int errors;
  private int unchanged;
  private int changed;

  private DamageTrial(Path sound, Path work) {
    this.sound = sound;
    this.work = work;
  }

  /**
   * Runs the trial and ends the JVM.
   *
   * @param args the snapshot, an empty folder, {@code systematic} or {@code random}, the number of
   *     damages (for each file, or in all), the seed
   */
  public static void main(String[] args) throws Exception {
    DamageTrial trial = new DamageTrial(Path.of(args[0]), Path.of(args[1]));
    int count = Integer.parseInt(args[3]);
    List<Damage> damages =
        args[2].equals("systematic")
            ? Damage.systematic(trial.sound, count)
            : Damage.random(trial.sound, count, Long.parseLong(args[4]));
    trial.prepare();
    ExecutorService cases = Executors.newSingleThreadExecutor();
    for (int i = 0; i < damages.size(); i++) {
      int number = i;
      Damage damage = damages.get(i);
      var run =
          cases.submit(
              () -> {
                trial.run(number, damage);
                return null;
              });
      try {
        run.get(SECONDS_PER_CASE, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        System.out.println("FAULT " + damage + ": no end within " + SECONDS_PER_CASE + " seconds");
        System.exit(1);
      } catch (ExecutionException e) {
        trial.faults.add(damage + ": " + e.getCause());
      }
    }
    trial.faults.forEach(fault -> System.out.println("FAULT " + fault));
    System.out.printf(
        "cases %d errors %d unchanged %d changed %d%n",
        damages.size(), trial.errors, trial.unchanged, trial.changed);
    System.exit(0);
  }

  private void prepare() throws IOException, SQLException {
    Files.createDirectories(work);
    try (var files = Files.list(sound);
        Connection connection = QueryResult.connect(sound, "composites=json")) {
      for (Path file : files.toList()) {
        Files.copy(file, work.resolve(file.getFileName()));
      }
      String sql =
          "SELECT DISTINCT COALESCE(f.path, '_metadata'), s.schema_name, s.table_name"
              + " FROM state_files AS f JOIN states AS s USING (operator_id)"
              + " WHERE s.table_name IS NOT NULL ORDER BY 1, 2, 3";
      for (List<Object> row : QueryResult.of(connection, sql, ResultSet::getString).rows()) {
        String table = quote((String) row.get(1)) + "." + quote((String) row.get(2));
        List<List<Object>> rows = soundRows(connection, table);
        allRows.put(table, rows);
        // One entry is all that a flipped bit can take away.
        if (rows.size() > 1) {
          soundRows.put(table, rows);
          tablesByFile.computeIfAbsent((String) row.get(0), file -> new ArrayList<>()).add(table);
        }
      }
      soundStates = states(connection);
      soundRows.put("sys.operators", read(connection, "sys.operators"));
    }
  }

  /** No rows of a state that needs the job's classes. */
  private static List<List<Object>> soundRows(Connection connection, String table)
      throws SQLException {
    try {
      return read(connection, table);
    } catch (SQLException e) {
      if ("58S02".equals(e.getSQLState())) {
        return List.of();
      }
      throw e;
    }
  }

  private static List<List<Object>> read(Connection connection, String table) throws SQLException {
    return QueryResult.of(connection, "SELECT * FROM " + table, ResultSet::getString).rows();
  }

  private void run(int number, Damage damage) throws IOException {
    Path file = work.resolve(damage.file());
    byte[] content = Files.readAllBytes(file);
    Files.write(file, damage.applyTo(content));
    try (Connection connection = QueryResult.connect(work, "composites=json")) {
      List<String> tables = tablesByFile.getOrDefault(damage.file(), List.of());
      for (int i = 0; i < Math.min(TABLES_PER_CASE, tables.size()); i++) {
        run(connection, damage, tables.get((number + i) % tables.size()));
      }
      List<String> all = List.copyOf(soundRows.keySet());
      String other = all.get(number % all.size());
      if (!tables.contains(other)) {
        run(connection, damage, other);
      }
    } catch (SQLException e) {
      checkError(damage, "connecting", e);
    } finally {
      Files.write(file, content);
    }
  }

  private void run(Connection connection, Damage damage, String table) {
    boolean isMetadata = damage.file().equals("_metadata");
    boolean isTouched =
        isMetadata || tablesByFile.getOrDefault(damage.file(), List.of()).contains(table);
    List<List<Object>> expected = soundRows.get(table);
    try {
      List<List<Object>> rows = read(connection, table);
      if (rows.equals(expected)) {
        unchanged++;
      } else {
        changed++;
        checkDifference(damage, table, expected, rows, connection);
      }
      if (damage.isTruncation() && isTouched) {
        fault(damage, table, "ends with rows though a part of its file is missing");
      }
    } catch (SQLException e) {
      checkError(damage, table, e);
      if (!isTouched) {
        fault(damage, table, "fails though its file is whole: " + e.getMessage());
      }
    }
  }

  /**
   * One wrong bit changes what one entry has, whichever key that is, or a name in a header, where
   * {@code sys.states} shows other states than there were, or whose the entries of a key group are.
   */
  private void checkDifference(
      Damage damage,
      String table,
      List<List<Object>> expected,
      List<List<Object>> rows,
      Connection connection)
      throws SQLException {
    if (table.equals("sys.operators") || rows.size() == expected.size()) {
      return;
    }
    List<List<Object>> missing = new ArrayList<>(expected);
    missing.removeAll(rows);
    Set<Object> keys = new HashSet<>();
    missing.forEach(row -> keys.add(row.get(0)));
    if (rows.isEmpty()
        || (keys.size() > 1
            && states(connection).equals(soundStates)
            && !isAnotherStateWrong(connection, table))) {
      fault(
          damage,
          table,
          "has %d rows instead of %d; missing are those of the keys %s"
              .formatted(rows.size(), expected.size(), keys));
    }
  }

  /**
   * Whether the entries of a key group may have gone to another state of the operator: the number
   * of a state stands before them, and one bit makes another of it.
   */
  private boolean isAnotherStateWrong(Connection connection, String table) {
    String schema = table.substring(0, table.indexOf('.') + 1);
    return allRows.entrySet().stream()
        .filter(other -> other.getKey().startsWith(schema) && !other.getKey().equals(table))
        .anyMatch(
            other -> {
              try {
                return !read(connection, other.getKey()).equals(other.getValue());
              } catch (SQLException e) {
                return true;
              }
            });
  }

  private static List<List<Object>> states(Connection connection) throws SQLException {
    return QueryResult.of(
            connection,
            "SELECT operator_id, state_name, state_kind, key_type, namespace_type, value_type"
                + " FROM sys.states ORDER BY 1, 2",
            ResultSet::getString)
        .rows();
  }

  private void checkError(Damage damage, String what, SQLException e) {
    errors++;
    String message = Objects.toString(e.getMessage());
    if (!SQL_STATES.contains(Objects.toString(e.getSQLState()))) {
      fault(damage, what, "ends with SQLState " + e.getSQLState() + ": " + message);
    } else if (LEAK.matcher(message).find()) {
      fault(damage, what, "ends with more than a sentence: " + message);
    } else if (SQL_STATES_OF_FILES.contains(e.getSQLState())
        && !message.contains(work.toString())
        && !message.contains(damage.file())) {
      fault(damage, what, "does not name the file: " + message);
    }
  }

  private void fault(Damage damage, String what, String fault) {
    faults.add(damage + ": " + what + " " + fault);
  }
}
