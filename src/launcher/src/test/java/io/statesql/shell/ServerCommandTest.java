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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process of its own, and the shell on it. */
class ServerCommandTest {
  private static final String SAMPLE =
      Path.of("..", "..", "sql-examples", "snapshots", "orders").toAbsolutePath().toString();
  private static final String MAXIMUM =
      "SELECT MAX(profile_since) AS \"day\", MAX(CAST(profile_since AS TIMESTAMP(3))) AS moment"
          + " FROM customers.keyed_state";
  private static final String COUNT =
      "SELECT COUNT(*) AS keys, TIMESTAMP '2026-03-29 02:30:00.125' AS t, X'00ff' AS b"
          + " FROM customers.keyed_state";

  @TempDir private Path folder;
  private Process process;

  @AfterEach
  void stop() {
    if (process != null) {
      process.destroyForcibly();
    }
  }

  private BufferedReader start(String... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                StateSqlMain.class.getName(),
                "server"));
    command.addAll(List.of(args));
    // Not a pipe, which would be full some time.
    process = new ProcessBuilder(command).redirectError(folder.resolve("errors").toFile()).start();
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** What the server printed beside its URL, when it has ended. */
  private String errors() throws IOException, InterruptedException {
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    return Files.readString(folder.resolve("errors"));
  }

  private static Outcome shell(String url, String serialization, String sql, String... options) {
    List<String> args = new ArrayList<>(List.of(options));
    args.addAll(
        List.of(
            "-u",
            "jdbc:avatica:remote:url=" + url + ";serialization=" + serialization,
            "--silent",
            "--outputFormat=csv",
            "-e",
            sql));
    return Outcome.of(args.toArray(new String[0]));
  }

  @Test
  void servesTheShellUntilTheSignal() throws Exception {
    BufferedReader out = start(SAMPLE, "--port=0");
    String url = out.readLine();

    assertThat(url).matches("http://localhost:[1-9][0-9]*");
    for (String serialization : List.of("protobuf", "json")) {
      Outcome counted = shell(url, serialization, COUNT);
      assertThat(counted.err()).isEmpty();
      assertThat(counted.out()).isEqualTo("keys,t,b\n12,2026-03-29 02:30:00.125,00ff\n");
      // A year of which Avatica's driver makes another one.
      assertThat(shell(url, serialization, MAXIMUM).out())
          .isEqualTo("day,moment\n12026-01-01,12026-01-01 00:00:00.000\n");
    }
    Outcome refused = shell(url, "protobuf", "DELETE FROM customers.keyed_state");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err())
        .isEqualTo(
            "Error: This server only reads; one that is started with --writable takes changes."
                + " (state=25006)\n");
    process.toHandle().destroy();
    assertThat(errors()).isEmpty();
    assertThat(out.readLine()).isNull();
  }

  @Test
  void configurationFileSaysWhatIsServedToWhom() throws Exception {
    Outcome hashed = Outcome.withInput("open sesame\n", "server", "--hash-password");
    assertThat(hashed.status()).isZero();
    Path config =
        Files.writeString(
            folder.resolve("server.yaml"),
            "mounts: {shop: '%s'}\nusers: [{name: ali, password: '%s', role: reader}]\n"
                .formatted(SAMPLE, hashed.out().strip()));
    String url = start("--config", config.toString(), "--port", "0").readLine();

    String sql = "SELECT COUNT(*) AS n FROM shop.customers.keyed_state";
    Outcome counted =
        shell(
            url + ";authentication=BASIC;avatica_user=ali;avatica_password=open sesame",
            "json",
            sql);
    assertThat(counted.out()).isEqualTo("n\n12\n");
    assertThat(shell(url, "json", sql, "-n", "ali", "-p", "open sesame").out())
        .isEqualTo("n\n12\n");
    assertThat(shell(url, "json", sql).err())
        .contains("The server needs a user and a password: give them with -n and -p");
  }

  @Test
  void eachChangeIsALineOfTheLogAndSecretsAreNowhere() throws Exception {
    String hash = Outcome.withInput("open sesame\n", "server", "--hash-password").out().strip();
    Path config =
        Files.writeString(
            folder.resolve("server.yaml"),
            "mounts: {shop: '%s'}\nusers: [{name: ali, password: '%s', role: admin}]\n"
                .formatted(SAMPLE, hash));
    String edits = folder.resolve("edits").toString();
    String url =
        start(
                "--config=" + config,
                "--port=0",
                "--writable",
                "--commit-to=" + edits,
                "--log-level=debug")
            .readLine();
    String ali = url + ";authentication=BASIC;avatica_user=ali;avatica_password=";
    String update = "UPDATE \"orders-per-customer\".\"order-count\" SET state_value = 1";

    assertThat(shell(ali + "open sesame", "protobuf", update).status()).isZero();
    assertThat(shell(ali + "open sesame", "json", "DROP SCHEMA nowhere").status()).isEqualTo(2);
    for (Outcome wrong :
        List.of(
            shell(ali + "shut sesame", "protobuf", update),
            shell(url, "protobuf", update, "-n", "ali", "-p", "shut sesame"))) {
      assertThat(wrong.err()).contains("The user or the password is wrong");
    }
    assertThat(shell(url, "json", update, "-n", "ali", "-p", "open sesame").status()).isZero();
    process.toHandle().destroy();
    String log = errors();

    assertThat(log)
        .containsPattern("audit - user=ali connection=\\S+ changed rows=12 by " + update)
        .containsPattern(
            "audit - user=ali connection=\\S+ committed catalog=shop to "
                + edits
                + "/orders-edited-1")
        .containsPattern(
            "audit - user=ali connection=\\S+ failed state=\\S+ by DROP SCHEMA nowhere");
    String header =
        Base64.getEncoder().encodeToString("ali:open sesame".getBytes(StandardCharsets.UTF_8));
    assertThat(log)
        .doesNotContain(
            "sesame", "statesql-login=", hash, hash.substring(hash.indexOf(':') + 1), header);
  }

  @Test
  void plainHttpToAServerWithTlsIsToldSo() throws Exception {
    Path store = folder.resolve("server.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-alias",
                "server",
                "-keystore",
                store.toString(),
                "-storepass",
                "open sesame")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    Files.writeString(folder.resolve("password"), "open sesame");
    Path config =
        Files.writeString(
            folder.resolve("server.yaml"),
            "mounts: {shop: '%s'}\ntls: {keystore: '%s', passwordFile: '%s'}\n"
                .formatted(SAMPLE, store, folder.resolve("password")));
    String url = start("--config", config.toString(), "--port", "0").readLine();

    Outcome refused = shell(url.replace("https://", "http://"), "protobuf", COUNT);

    assertThat(refused.status()).isNotZero();
    assertThat(refused.err())
        .isEqualTo(
            "Error: The server does not take plain HTTP (HTTP 400); if it speaks TLS, its URL"
                + " begins with https://\n");
  }

  /** Avatica's driver would ask it for ever. */
  @Test
  void serverThatGivesNoAnswerIsNotAskedForEver() throws Exception {
    ExecutorService closer = Executors.newSingleThreadExecutor();
    try (ServerSocket mute = new ServerSocket(0)) {
      Future<?> unused =
          closer.submit(
              () -> {
                while (true) {
                  mute.accept().close();
                }
              });
      String url = "http://localhost:" + mute.getLocalPort();

      Outcome failed = shell(url, "json", "VALUES 1");

      assertThat(failed.status()).isNotZero();
      assertThat(failed.err()).startsWith("Error: ").contains(url).doesNotContain("Exception");
    } finally {
      closer.shutdownNow();
    }
  }

  @Test
  void commandLineThatMakesNoSenseIsTold() {
    assertThat(Outcome.of("server").err()).isEqualTo("statesql: Name a snapshot to serve\n");
    assertThat(Outcome.of("server", SAMPLE, "--host=0.0.0.0").err())
        .contains("needs users in its configuration file");
    assertThat(Outcome.of("server", SAMPLE, "--log-level=loud").err()).contains("not loud");
    assertThat(Outcome.of("server", "/nowhere").err())
        .isEqualTo("statesql: No such file or folder: /nowhere\n");
    assertThat(Outcome.of("server", SAMPLE, "--nonsense").status()).isEqualTo(1);
  }
}
