package io.statesql.acceptance;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a run of the shell in a JVM of its own left: exit status and both streams, as UTF-8. */
record ShellRun(int status, String out, String err) {

  /** Runs the shell as the launcher does, with the arguments of a user. */
  static ShellRun of(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8"));
    for (String part : List.of("util", "lang", "time")) {
      command.add("--add-opens=java.base/java." + part + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-Dstatesql.interactive=false", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add("io.statesql.shell.StateSqlMain");
    command.addAll(List.of(args));
    Path messages = Files.createTempFile("shell", ".err");
    try {
      Process process =
          new ProcessBuilder(command).redirectError(Redirect.to(messages.toFile())).start();
      process.getOutputStream().close();
      String out =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new ShellRun(process.waitFor(), out, Files.readString(messages));
    } finally {
      Files.delete(messages);
    }
  }
}
