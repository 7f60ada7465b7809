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
package io.statesql.examples.orders;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.MemorySize;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs the orders job on a MiniCluster in this JVM and writes a snapshot of it. Prints the
 * snapshot's folder on stdout and the span of time in which it was written on stderr.
 */
@Command(
    name = "sample-snapshots",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = "Runs the orders job and writes a snapshot of it.")
public final class SampleSnapshots implements Callable<Integer> {

  @Option(names = "--backend", defaultValue = "hashmap", description = "hashmap or rocksdb")
  private String backend;

  @Option(names = "--form", defaultValue = "CANONICAL", description = "${COMPLETION-CANDIDATES}")
  private SnapshotForm form;

  @Option(names = "--compression", description = "compress the state with snappy")
  private boolean compression;

  @Option(names = "--parallelism", defaultValue = "2")
  private int parallelism;

  @Option(names = "--max-parallelism", defaultValue = "128", description = "key groups")
  private int maxParallelism;

  @Option(names = "--orders", defaultValue = "100", description = "length of the input")
  private long orders;

  @Option(names = "--stages", defaultValue = "1", description = "snapshots taken on the way")
  private int stages;

  @Option(
      names = "--inline-below",
      defaultValue = "4kb",
      description = "state handles up to this size go into the metadata file")
  private String inlineBelow;

  @Option(names = "--restore-from", description = "a snapshot to start from")
  private Path restoreFrom;

  @Option(names = "--claim", description = "let the job own that snapshot")
  private boolean claim;

  @Option(names = "--target", required = true, description = "the folder for the snapshots")
  private Path target;

  public static void main(String[] args) {
    System.exit(execute(args));
  }

  /** Writes one snapshot, prints its folder, and returns the exit status. */
  static int execute(String... args) {
    return new CommandLine(new SampleSnapshots())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .execute(args);
  }

  @Override
  public Integer call() throws Exception {
    Instant begin = Instant.now();
    Path snapshot =
        new SampleRun(
                backend,
                form,
                compression,
                parallelism,
                maxParallelism,
                orders,
                stages,
                MemorySize.parse(inlineBelow),
                Optional.ofNullable(restoreFrom).map(Path::toAbsolutePath),
                claim,
                Files.createDirectories(target).toAbsolutePath())
            .write();
    System.err.println("Written between " + begin + " and " + Instant.now());
    System.out.println(snapshot);
    return CommandLine.ExitCode.OK;
  }
}
