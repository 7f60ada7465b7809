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
package io.statesql.format.rocksdb.database;

import io.statesql.StateSqlException;
import io.statesql.format.work.WorkFolder;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rocksdb.RocksDB;
import org.slf4j.Logger;

/**
 * Starts {@link ReaderMain}: with the Java of this process, only the libraries that it needs, none
 * of the environment, and no place to leave anything in but a folder of ours.
 */
final class ReaderCommand {
  /** What it prints, as when the JVM dies. */
  static final String LOG = "log";

  private static final int MEGABYTE = 1 << 20;

  /** Heap beside keys and values: the JVM, and what answers are made of. */
  private static final int OWN_HEAP = 64;

  /** How often a key or value of the longest kind is in memory at a time. */
  private static final int COPIES = 4;

  /** Address space beside the heap: code, the JVM's own structures, and RocksDB. */
  private static final int OTHER_MEMORY = 1536;

  private static final Path SHELL = Path.of("/bin/sh");

  private ReaderCommand() {}

  /**
   * Starts it.
   *
   * @param folder an empty one, for all that it writes
   * @param maxBytes how long a key or value may be
   * @throws IOException if it cannot be started
   */
  static Process start(Path folder, int maxBytes) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command(folder, maxBytes))
            .directory(folder.toFile())
            .redirectError(folder.resolve(LOG).toFile());
    Map<String, String> environment = builder.environment();
    // Windows cannot start programs without it.
    environment.keySet().retainAll(Set.of("SystemRoot"));
    // Each thread would reserve address space for an arena of its own.
    environment.put("MALLOC_ARENA_MAX", "2");
    return builder.start();
  }

  private static List<String> command(Path folder, int maxBytes) {
    long heap = OWN_HEAP + (long) COPIES * maxBytes / MEGABYTE;
    List<String> command = new ArrayList<>();
    if (File.separatorChar == '/' && Files.isExecutable(SHELL) && isLinux()) {
      // Native code that asks for more than this gets nothing, and the process ends.
      command.addAll(
          List.of(
              SHELL.toString(),
              "-c",
              "ulimit -v \"$0\" 2>/dev/null; exec \"$@\"",
              Long.toString((heap + OTHER_MEMORY) * (MEGABYTE >> 10))));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx" + heap + "m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:ReservedCodeCacheSize=32m",
            "-XX:CompressedClassSpaceSize=32m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:-UsePerfData",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=" + folder.resolve("hs_err.log"),
            // Else a message of the JVM would get among the answers.
            "-XX:+DisplayVMOutputToStderr",
            "-Dslf4j.internal.verbosity=ERROR",
            "-Djava.io.tmpdir=" + folder,
            "-D" + WorkFolder.BASE_PROPERTY + "=" + folder,
            "-cp",
            String.join(File.pathSeparator, libraries()),
            ReaderMain.class.getName()));
    return command;
  }

  private static boolean isLinux() {
    return System.getProperty("os.name").equals("Linux");
  }

  /** Where the classes come from that it needs; where that is not known, all that there are. */
  private static Set<String> libraries() {
    Set<String> libraries = new LinkedHashSet<>();
    for (Class<?> used :
        List.of(ReaderMain.class, StateSqlException.class, RocksDB.class, Logger.class)) {
      CodeSource source = used.getProtectionDomain().getCodeSource();
      try {
        libraries.add(Path.of(source.getLocation().toURI()).toString());
      } catch (URISyntaxException | RuntimeException unknown) {
        return Set.of(System.getProperty("java.class.path"));
      }
    }
    return libraries;
  }
}
