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
package io.statesql.benchmark.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code ./statesql server} on a free port, and what the system says of its process. */
final class ServerUnderTest implements AutoCloseable {
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
  private static final Pattern HEAP =
      Pattern.compile(
          "(?:new generation|tenured generation|garbage-first heap) +total \\d+K, used (\\d+)K");

  private final Process process;
  private final String url;
  private final Path workFolders;

  private ServerUnderTest(Process process, String url, Path workFolders) {
    this.process = process;
    this.url = url;
    this.workFolders = workFolders;
  }

  /** What the system knows of a process; sizes in bytes. */
  record Figures(int openFiles, long resident, long heap, long workFolders) {
    @Override
    public String toString() {
      return "%d open files, %d MB resident, %d MB of heap in use, %d work folders"
          .formatted(openFiles, resident >> 20, heap >> 20, workFolders);
    }
  }

  /**
   * Starts a server.
   *
   * @param root the folder of the repository
   * @param heap its largest heap, as {@code 512m}
   * @param arguments of the command
   */
  static ServerUnderTest start(Path root, String heap, List<String> arguments) throws IOException {
    Path workFolders = Files.createTempDirectory("statesql-benchmark-work");
    List<String> command = new ArrayList<>();
    command.add(root.resolve("statesql").toString());
    command.add("server");
    command.addAll(arguments);
    command.addAll(List.of("--port", "0", "--log-level", "warn"));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(root.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("JAVA_OPTS", "-Xmx" + heap + " -Dstatesql.work-dir=" + workFolders);
    Process process = builder.start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String url = out.readLine();
    if (url == null) {
      throw new IllegalStateException("the server did not start");
    }
    return new ServerUnderTest(process, url, workFolders);
  }

  String url() {
    return url;
  }

  Connection connect(String serialization) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:avatica:remote:url=" + url + ";serialization=" + serialization);
  }

  /** As it is now, after a collection. */
  Figures figures() throws IOException, InterruptedException {
    jcmd("GC.run");
    return new Figures(openFiles(), resident(), heap(), countWorkFolders());
  }

  int openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
      return (int) files.count();
    }
  }

  long resident() throws IOException {
    return 1024L
        * firstNumber(RESIDENT, Files.readString(Path.of("/proc/" + process.pid() + "/status")));
  }

  /** What of the heap is in use or garbage. */
  long heap() throws IOException, InterruptedException {
    Matcher used = HEAP.matcher(jcmd("GC.heap_info"));
    long kilobytes = 0;
    while (used.find()) {
      kilobytes += Long.parseLong(used.group(1));
    }
    return kilobytes << 10;
  }

  private long countWorkFolders() throws IOException {
    try (Stream<Path> folders = Files.list(workFolders)) {
      return folders.filter(Files::isDirectory).count();
    }
  }

  private String jcmd(String command) throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(process.pid()),
                command)
            .redirectErrorStream(true)
            .start();
    String output = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    jcmd.waitFor();
    return output;
  }

  private static long firstNumber(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IllegalStateException("no such line in " + text);
    }
    return Long.parseLong(matcher.group(1));
  }

  /** Stops it as an administrator would, and removes what it must have left empty. */
  @Override
  public void close() {
    process.destroy();
    try {
      process.waitFor();
      Files.delete(workFolders);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
