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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that changes a snapshot and commits when it is told to. It prints {@code staged}, reads
 * a line, commits, and prints {@code committed} or the SQLState of its failure.
 */
final class CommitProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private CommitProcess(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  /** The program: a URL, and statements. */
  public static void main(String[] args) throws SQLException, IOException {
    try (Connection connection = DriverManager.getConnection(args[0]);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int i = 1; i < args.length; i++) {
        statement.executeLargeUpdate(args[i]);
      }
      System.out.println("staged");
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
      try {
        connection.commit();
        System.out.println("committed");
      } catch (SQLException e) {
        System.out.println(e.getSQLState());
        connection.rollback();
      }
    }
  }

  /** Starts the program and waits until its statements have run. */
  static CommitProcess stage(Path workDir, Path snapshot, String... statements) throws IOException {
    return stage(List.of(), workDir, snapshot, statements);
  }

  /**
   * The same, started by another program.
   *
   * @param wrapper the beginning of the command
   */
  static CommitProcess stage(
      List<String> wrapper, Path workDir, Path snapshot, String... statements) throws IOException {
    List<String> command = new ArrayList<>(wrapper);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("-Dstatesql.work-dir=" + workDir);
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    for (String opened : List.of("java.base/java.util", "java.base/java.lang")) {
      command.add("--add-opens=" + opened + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(CommitProcess.class.getName());
    command.add("jdbc:statesql:snapshot=" + snapshot);
    command.addAll(List.of(statements));
    CommitProcess started =
        new CommitProcess(new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
    String line = started.output.readLine();
    if (!"staged".equals(line)) {
      started.close();
      throw new IOException("The statements failed: " + line);
    }
    return started;
  }

  void commit() throws IOException {
    process.outputWriter().write('\n');
    process.outputWriter().flush();
  }

  /** What became of the commit; null if the process was killed before it could tell. */
  String outcome() throws IOException {
    return output.readLine();
  }

  /** SIGKILL, and waits until it is dead. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
