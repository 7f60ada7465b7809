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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The folder of the snapshots that were written, for use by later runs too. */
public record SnapshotStore(Programs programs, Path folder) {
  private static final String MAIN = "io.statesql.benchmark.flink.WriteSnapshot";

  /** A snapshot that is there, or is written by a Flink job now. */
  public BenchmarkSnapshot get(SnapshotForm form, long keys)
      throws IOException, InterruptedException {
    Path path = folder.resolve(form.folderName(keys));
    if (!Files.exists(path)) {
      write(form, keys, path);
    }
    return new BenchmarkSnapshot(form, keys, path);
  }

  private void write(SnapshotForm form, long keys, Path path)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    // What a killed run leaves is in a folder that no run takes for a snapshot.
    Path target = Files.createTempDirectory(folder, "unfinished-");
    List<String> arguments = new ArrayList<>(form.writerArguments());
    arguments.add(String.valueOf(keys));
    arguments.add(target.toString());
    ProcessRun run = programs.flink(MAIN, arguments);
    Files.move(Path.of(run.output().get(0)), path);
    System.err.printf("Wrote %s in %.1f s%n", path, run.nanos() / 1e9);
  }
}
