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

import io.statesql.StateSqlException;
import io.statesql.coordinator.http.CoordinatorServer;
import io.statesql.server.StateSqlServer;
import io.statesql.shell.ResultOutput.WriteFailedException;
import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Map;
import java.util.TimeZone;
import sqlline.StateSqlShell;

/**
 * The command line's entry. Exit status 0: all succeeded; 1: the command line makes no sense; 2: a
 * connection or a statement failed; 141: whoever read the results went away.
 */
public final class StateSqlMain {
  private static final int USAGE = 1;
  private static final int FAILURE = 2;

  /** What a shell reports for a program that SIGPIPE ended. */
  private static final int BROKEN_PIPE = 141;

  private final Map<String, String> environment;
  private final InputStream input;
  private final OutputStream output;
  private final PrintStream messages;

  StateSqlMain(
      Map<String, String> environment,
      InputStream input,
      OutputStream output,
      OutputStream messages) {
    this.environment = environment;
    this.input = input;
    this.output = output;
    this.messages = new PrintStream(messages, true, StandardCharsets.UTF_8);
  }

  public static void main(String[] args) {
    // Timestamps are UTC, also where a foreign driver asks the JVM for its zone.
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    if (!Boolean.getBoolean(CommandLineArguments.INTERACTIVE)) {
      // Without a terminal JLine would warn that it has none.
      System.setProperty("org.jline.terminal.dumb", "true");
    }
    // sqlline reads this once, and without it makes a folder of its own even for a start that saves
    // nothing.
    System.setProperty(
        "sqlline.rcfile", CommandLineArguments.settingsFolder(System.getenv()).toString());
    ServerLog.configure(args);
    StateSqlMain main =
        new StateSqlMain(
            System.getenv(), System.in, new FileOutputStream(FileDescriptor.out), System.err);
    System.exit(main.run(args));
  }

  /** Runs a command line and returns its exit status. */
  int run(String... args) {
    try {
      if (CoordinatorCommand.isMeant(args)) {
        return coordinate(args);
      }
      if (ServerCommand.isMeant(args)) {
        return serve(ServerCommand.parse(args));
      }
      CommandLineArguments arguments = CommandLineArguments.parse(args, environment);
      if (arguments.text().isPresent()) {
        print(arguments.text().get());
        return 0;
      }
      ShellRequest request = arguments.request();
      StateSqlShell shell = new StateSqlShell(request, input, new ResultOutput(output), messages);
      return shell.run() ? 0 : FAILURE;
    } catch (UsageException e) {
      messages.println("statesql: " + e.getMessage());
      return USAGE;
    } catch (WriteFailedException e) {
      if (e.isBrokenPipe()) {
        return BROKEN_PIPE;
      }
      messages.println(ErrorText.of(e));
      return FAILURE;
    } catch (StateSqlException | SQLException | IOException e) {
      messages.println(ErrorText.of(e));
      return FAILURE;
    }
  }

  private int coordinate(String[] args) throws IOException {
    CoordinatorServer server = CoordinatorCommand.start(args);
    return runUntilSignal(server, server.url(), server::join);
  }

  private int serve(ServerCommand command) throws IOException, SQLException {
    if (command.hashesPassword()) {
      print(ServerCommand.hashPassword(input) + "\n");
      return 0;
    }
    StateSqlServer server = command.start();
    return runUntilSignal(server, server.url(), server::join);
  }

  /** Waits for a server to end. */
  @FunctionalInterface
  private interface Waiting {
    void join() throws InterruptedException;
  }

  /** Runs a server until the process is told to end, which it does in order. */
  private int runUntilSignal(Closeable server, String url, Waiting waiting) throws IOException {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server), "server-shutdown"));
    print(url + "\n");
    try {
      waiting.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  private void close(Closeable server) {
    try {
      server.close();
    } catch (IOException e) {
      messages.println(ErrorText.of(e));
    }
  }

  private void print(String text) throws IOException {
    ResultOutput results = new ResultOutput(output);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    results.write(bytes, 0, bytes.length);
    results.drain();
  }
}
