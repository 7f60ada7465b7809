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

import java.nio.file.Path;

/** Where the build has what these tests read. Tests run in the folder of their module. */
public final class ProjectFiles {
  /** The folder of the project. */
  static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

  /** The savepoint that ships with the project. */
  public static final Path SAMPLE = ROOT.resolve("sql-examples/snapshots/orders");

  /** Statements over it. */
  static final Path SCRIPTS = ROOT.resolve("sql-examples/scripts");

  /** What Flink yields for the snapshots of its own tests. */
  static final Path GOLDEN = ROOT.resolve("src/state/src/test/resources/golden/flink-2.3.0");

  /** These snapshots. */
  static final Path FLINK_TESTS = ROOT.resolve("src/state/target/flink-tests/2.3.0");

  /** What a user unpacks, as the build has laid it out. */
  static final Path DISTRIBUTION = ROOT.resolve("src/distribution/target/statesql");

  /** For what tests write. */
  static final Path TARGET = Path.of("target").toAbsolutePath();

  private ProjectFiles() {}
}
