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

import io.statesql.snapshot.KeyedStateHandle.StateChange;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Damages snapshots of any form again and again and checks how statements end: with an error of one
 * sentence or with right rows, and leaving nothing behind. Runs in a JVM of its own, with a private
 * folder for work folders.
 */
final class FormDamageTrial {
  private static final int SECONDS_PER_CASE = 120;
  private static final int TABLES_PER_CASE = 4;

  /** What may be wrong with a snapshot, or be missing in it once its names have changed. */
  private static final Set<String> SQL_STATES =
      Set.of("XX001", "58P01", "58S01", "58S02", "0A001", "3F000", "42S02", "22008");

  /**
   * What no message may hold: all packages of the product are listed, and libraries that it uses.
   * Classes of the jobs whose state is read, in {@code examples} and {@code changelog}, are named
   * in the snapshots and may be named, also misspelt.
   */
  private static final Pattern LEAK =
      Pattern.compile(
          "[\n\r]|Exception|\\bjava\\.(?:lang|io|nio)|\\borg\\.(?:apache\\.calcite|rocksdb|xerial)\\b"
              + "|\\bio\\.statesql\\.(?:snapshot|type|format|edit|job|schema|plan|change|entry"
              + "|location|value|sql|jdbc|shell|server|coordinator|[A-Z]\\w*)\\b");

  private final Path root;
  private final Path copy;
  private final Map<Path, SoundTables> sound = new HashMap<>();
  private final Map<String, Integer> outcomes = new TreeMap<>();

  private FormDamageTrial(Path root) {
    this.root = root;
    this.copy = root.resolve("snapshot");
  }

  /** One case: what is done to which snapshot. */
  private record Case(Path snapshot, SnapshotDamage damage) {}

  /**
   * Runs the trial and ends the JVM.
   *
   * @param args a folder that holds the one for work folders, the number of random damages, their
   *     seed, whether hostile names are tried beside, the snapshots
   */
  public static void main(String[] args) throws Exception {
    FormDamageTrial trial = new FormDamageTrial(Path.of(args[0]));
    List<Path> snapshots = new ArrayList<>();
    for (int i = 4; i < args.length; i++) {
      snapshots.add(Path.of(args[i]));
    }
    List<Case> cases = new ArrayList<>();
    Random random = new Random(Long.parseLong(args[2]));
    for (Path snapshot : snapshots) {
      trial.sound.put(snapshot, SoundTables.of(snapshot));
      if (Boolean.parseBoolean(args[3])) {
        for (SnapshotDamage damage : SnapshotDamage.hostileNames(snapshot)) {
          cases.add(new Case(snapshot, damage));
        }
      }
    }
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      Path snapshot = snapshots.get(i % snapshots.size());
      cases.add(new Case(snapshot, SnapshotDamage.random(snapshot, random)));
    }
    ExecutorService executor = Executors.newSingleThreadExecutor();
    for (Case next : cases) {
      var run =
          executor.submit(
              () -> {
                trial.run(next, random);
                return null;
              });
      try {
        run.get(SECONDS_PER_CASE, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        System.out.println("FAULT " + next + ": no end within " + SECONDS_PER_CASE + " seconds");
        System.exit(1);
      } catch (ExecutionException e) {
        fault(next + ": " + e.getCause());
      }
    }
    System.out.println("cases " + cases.size() + " " + trial.outcomes);
    System.exit(0);
  }

  private void run(Case next, Random random) throws IOException {
    delete(copy);
    copy(next.snapshot());
    next.damage().applyTo(copy);
    List<String> before = listing();
    boolean isRefused = false;
    try (Connection connection = QueryResult.connect(copy, "composites=json")) {
      List<String> tables = sound.get(next.snapshot()).tablesOf(next.damage().file());
      int first = random.nextInt(tables.size());
      int count = next.damage().isHostile() ? tables.size() : TABLES_PER_CASE;
      for (int i = 0; i < Math.min(count, tables.size()); i++) {
        isRefused |= run(connection, next, tables.get((first + i) % tables.size()));
      }
    } catch (SQLException e) {
      checkError(next, "connecting", e);
      isRefused = true;
    }
    if (next.damage().isHostile() && !isRefused) {
      fault(next + ": the name is accepted");
    }
    if (next.damage() instanceof SnapshotDamage.Renamed renamed
        && renamed.hostileName().startsWith("/")
        && Files.exists(Path.of(renamed.hostileName()))) {
      fault(next + ": the file is written");
    }
    if (!listing().equals(before)) {
      fault(next + ": files changed from " + before + " to " + listing());
    }
  }

  private boolean run(Connection connection, Case next, String table) throws IOException {
    boolean isRefused = false;
    List<List<Object>> expected = sound.get(next.snapshot()).rows(table);
    Set<Integer> excused = excusedKeyGroups(next);
    List<List<Object>> rows = null;
    try {
      rows = SoundTables.read(connection, table);
      boolean isSame = sorted(rows).equals(sorted(expected));
      outcomes.merge(isSame ? "same rows" : "other rows", 1, Integer::sum);
      if (!isSame && !excused.isEmpty()) {
        outcomes.merge("excused key groups", 1, Integer::sum);
        rows = SoundTables.without(excused, rows);
        expected = SoundTables.without(excused, expected);
        isSame = sorted(rows).equals(sorted(expected));
      }
      if (!isSame && keepsRows(next, excused)) {
        fault(next + ": " + table + " has other rows: " + rows);
      }
      if (rows.isEmpty() && !expected.isEmpty()) {
        fault(next + ": " + table + " is empty");
      }
      checkNumber(connection, next, table, "it has", rows.size(), expected.size());
    } catch (SQLException e) {
      checkError(next, table, e);
      isRefused = true;
    }
    try {
      long count = SoundTables.count(connection, table);
      if (excused.isEmpty()) {
        int number = rows == null ? expected.size() : rows.size();
        checkNumber(connection, next, table, "COUNT is", count, number);
      }
    } catch (SQLException e) {
      checkError(next, "COUNT of " + table, e);
    }
    return isRefused;
  }

  private Set<Integer> excusedKeyGroups(Case next) throws IOException {
    return ChangelogCheckpoints.isOne(next.snapshot()) && !next.damage().keepsRows()
        ? LoggedChangeDamage.keyGroups(next.snapshot(), copy)
        : Set.of();
  }

  /**
   * Whether all rows must be as they were, but for those excused: also where checksums cover all
   * that is stored, and where nothing but logged changes is damaged.
   */
  private static boolean keepsRows(Case next, Set<Integer> excused) throws IOException {
    Path file = next.snapshot().resolve(next.damage().file());
    return next.damage().keepsRows()
        || FileContent.of(file) == FileContent.ROCKSDB_TABLE
        || (!excused.isEmpty()
            && !excused.contains(StateChange.METADATA)
            && !file.endsWith("_metadata"));
  }

  /** No row is lost or made; what is wrong within values changes no number. */
  private void checkNumber(
      Connection connection, Case next, String table, String what, long number, int expected)
      throws SQLException, IOException {
    if (Math.abs(number - expected) > tolerance(next, table)
        && !sound.get(next.snapshot()).isRenamed(connection, table)) {
      fault(next + ": " + table + ", " + what + " " + number + " for " + expected);
    }
  }

  /**
   * By how much the number of rows may differ where no checksum covers the bytes of a key: of the
   * wrong ones some are of the same key group, and that key has a row of {@code keyed_state} of its
   * own. A row of one state that is under another key is one row still.
   */
  private static int tolerance(Case next, String table) throws IOException {
    boolean isUnchecked =
        FileContent.of(next.snapshot().resolve(next.damage().file())) == FileContent.UNCHECKED;
    return isUnchecked && !next.damage().keepsRows() && table.endsWith(".\"keyed_state\"") ? 1 : 0;
  }

  private static void fault(String fault) {
    System.out.println("FAULT " + fault);
  }

  private static List<String> sorted(List<List<Object>> rows) {
    return rows.stream().map(Object::toString).sorted().toList();
  }

  private void checkError(Case next, String what, SQLException e) {
    outcomes.merge("errors", 1, Integer::sum);
    String message = Objects.toString(e.getMessage());
    if (!SQL_STATES.contains(Objects.toString(e.getSQLState()))) {
      fault(next + ": " + what + " ends with SQLState " + e.getSQLState() + ": " + message);
    } else if (LEAK.matcher(message).find()) {
      fault(next + ": " + what + " ends with more than a sentence: " + message);
    }
  }

  /**
   * All files around the snapshot and the work folders with their sizes; work folders are among
   * them while they exist.
   */
  private List<String> listing() throws IOException {
    List<String> files = new ArrayList<>();
    try (var paths = Files.walk(root)) {
      for (Path path : paths.sorted().toList()) {
        files.add(path + " " + (Files.isDirectory(path) ? "" : Files.size(path)));
      }
    }
    return files;
  }

  private void copy(Path snapshot) throws IOException {
    try (var paths = Files.walk(snapshot)) {
      for (Path path : paths.toList()) {
        Path target = copy.resolve(snapshot.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectory(target);
        } else {
          link(target, path);
        }
      }
    }
  }

  /** Links a file, or copies it from another disk. */
  private static void link(Path target, Path file) throws IOException {
    try {
      Files.createLink(target, file);
    } catch (FileSystemException e) {
      Files.copy(file, target);
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (var paths = Files.walk(folder)) {
        for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
