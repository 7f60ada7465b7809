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
package io.statesql.shell;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;

/** What a run of the command line left: exit status and both streams, read as UTF-8. */
record Outcome(int status, String out, String err) {
  /** Runs a command line in this JVM. */
  static Outcome of(String... args) {
    return withInput("", args);
  }

  /** Runs options and statements on a Calcite connection without any schema. */
  static Outcome onCalcite(String... args) {
    return of(
        Stream.concat(Stream.of("-u", "jdbc:calcite:", "--silent"), Stream.of(args))
            .toArray(String[]::new));
  }

  static Outcome withInput(String input, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    ByteArrayInputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
    int status = new StateSqlMain(Map.of("HOME", "/nonexistent"), in, out, err).run(args);
    return new Outcome(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
