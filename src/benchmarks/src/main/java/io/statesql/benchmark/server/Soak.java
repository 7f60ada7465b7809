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

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets many clients use a server in every way, also rudely, and prints what the system says of it
 * over time: figures that only grow are a leak.
 */
public final class Soak {
  private static final int CLIENTS = 8;
  private static final int SAMPLE_SECONDS = 20;

  /** What nobody closes is soon forgotten. */
  private static final String CONFIG =
      "limits: {connectionIdleSeconds: 5, statementIdleSeconds: 5, statementSeconds: 20}\n";

  private static final String TABLE = "\"users\".keyed_state";
  private static final String ENDLESS =
      "SELECT COUNT(*) FROM %1$s AS a, %1$s AS b WHERE a.total < b.total".formatted(TABLE);

  private final ServerUnderTest server;
  private final long end;
  private final Map<String, AtomicLong> done = new ConcurrentSkipListMap<>();

  private Soak(ServerUnderTest server, long minutes) {
    this.server = server;
    this.end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
  }

  /**
   * The arguments: the folder of the repository; a snapshot that a benchmark has written; how many
   * minutes.
   */
  public static void main(String[] args)
      throws IOException, InterruptedException, ReflectiveOperationException {
    Class.forName("org.apache.calcite.avatica.remote.Driver");
    Path config = Files.createTempFile("statesql-soak", ".yaml");
    Files.writeString(config, CONFIG);
    try (ServerUnderTest server =
        ServerUnderTest.start(
            Path.of(args[0]),
            "512m",
            List.of("snapshot=" + args[1], "--config", config.toString(), "--writable"))) {
      new Soak(server, Long.parseLong(args[2])).run();
    } finally {
      Files.delete(config);
    }
  }

  /** What a client does. */
  private interface Behaviour {
    void act(Random random) throws SQLException, IOException, InterruptedException;
  }

  private void run() throws IOException, InterruptedException {
    Map<String, Behaviour> behaviours = new TreeMap<>();
    behaviours.put("asks for keys", this::askForKeys);
    behaviours.put("reads a part of the rows", this::readAPart);
    behaviours.put("looks at names", this::lookAtNames);
    behaviours.put("makes mistakes", this::makeMistakes);
    behaviours.put("cancels by closing", this::cancel);
    behaviours.put("vanishes", this::vanish);
    behaviours.put("sends half a message", this::sendHalfAMessage);
    behaviours.put("changes and rolls back", this::changeAndRollBack);
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Thread client = new Thread(() -> live(List.copyOf(behaviours.entrySet())), "client-" + i);
      client.start();
      clients.add(client);
    }
    long start = System.nanoTime();
    while (System.nanoTime() < end) {
      TimeUnit.SECONDS.sleep(SAMPLE_SECONDS);
      print(start);
    }
    for (Thread client : clients) {
      client.join();
    }
    // Until what was abandoned is forgotten.
    TimeUnit.SECONDS.sleep(12);
    System.out.println("at rest:");
    print(start);
    System.out.println(done);
  }

  private void print(long start) throws IOException, InterruptedException {
    System.out.printf(
        Locale.ROOT,
        "%5d s, %,9d actions: %s%n",
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
        done.values().stream().mapToLong(AtomicLong::get).sum(),
        server.figures());
  }

  private void live(List<Map.Entry<String, Behaviour>> behaviours) {
    Random random = new Random(Thread.currentThread().getName().hashCode());
    while (System.nanoTime() < end) {
      Map.Entry<String, Behaviour> behaviour = behaviours.get(random.nextInt(behaviours.size()));
      String outcome = behaviour.getKey();
      try {
        behaviour.getValue().act(random);
      } catch (SQLException | IOException | RuntimeException e) {
        outcome += ", in vain: " + e;
      } catch (InterruptedException e) {
        return;
      }
      done.computeIfAbsent(outcome, key -> new AtomicLong()).incrementAndGet();
    }
  }

  private Connection connect(Random random) throws SQLException {
    return server.connect(random.nextBoolean() ? "protobuf" : "json");
  }

  private void askForKeys(Random random) throws SQLException {
    try (Connection connection = connect(random);
        PreparedStatement statement =
            connection.prepareStatement("SELECT * FROM " + TABLE + " WHERE state_key = ?")) {
      for (int i = 0; i < 20; i++) {
        long key = random.nextInt(10_000);
        statement.setLong(1, key);
        try (ResultSet rows = statement.executeQuery()) {
          if (!rows.next() || rows.getLong(1) != key) {
            throw new IllegalStateException("not the row of a key");
          }
        }
      }
    }
  }

  private void readAPart(Random random) throws SQLException {
    try (Connection connection = connect(random);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM " + TABLE)) {
      for (int i = random.nextInt(2_000); i > 0 && rows.next(); i--) {
        if (rows.getLong(1) < 0) {
          throw new IllegalStateException("no such key");
        }
      }
    }
  }

  private void lookAtNames(Random random) throws SQLException {
    try (Connection connection = connect(random);
        ResultSet columns = connection.getMetaData().getColumns(null, null, "%", "%")) {
      int count = 0;
      while (columns.next()) {
        count++;
      }
      if (count == 0) {
        throw new IllegalStateException("no columns");
      }
    }
  }

  private void makeMistakes(Random random) throws SQLException {
    try (Connection connection = connect(random);
        Statement statement = connection.createStatement()) {
      for (String sql : List.of("SELECT nothing", "SELEC", "VALUES 1 / 0", "DROP TABLE t")) {
        boolean hasFailed = false;
        try {
          statement.execute(sql);
        } catch (SQLException expected) {
          hasFailed = true;
        }
        if (!hasFailed) {
          throw new IllegalStateException("no error of " + sql);
        }
      }
    }
  }

  private void cancel(Random random) throws SQLException, InterruptedException {
    Connection connection = connect(random);
    Statement statement = connection.createStatement();
    Thread running =
        new Thread(
            () -> {
              try (ResultSet rows = statement.executeQuery(ENDLESS)) {
                throw new IllegalStateException("ended by itself: " + rows);
              } catch (SQLException expected) {
                done.computeIfAbsent("was canceled", key -> new AtomicLong()).incrementAndGet();
              }
            });
    running.start();
    TimeUnit.MILLISECONDS.sleep(random.nextInt(500));
    connection.close();
    running.join();
  }

  /** As a client whose process was killed: with a statement and half of a result. */
  private void vanish(Random random) throws SQLException {
    Connection connection = connect(random);
    ResultSet rows = connection.createStatement().executeQuery("SELECT * FROM " + TABLE);
    rows.next();
  }

  private void sendHalfAMessage(Random random) throws IOException {
    URI address = URI.create(server.url());
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      OutputStream out = socket.getOutputStream();
      String head =
          "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
              + "Content-Length: 1000\r\n\r\n{";
      out.write(head.getBytes(StandardCharsets.US_ASCII), 0, 1 + random.nextInt(head.length() - 1));
      out.flush();
    }
  }

  private void changeAndRollBack(Random random) throws SQLException {
    try (Connection connection = connect(random);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      int changed =
          statement.executeUpdate(
              "UPDATE \"users\".total SET state_value = 1 WHERE state_key = "
                  + random.nextInt(10_000));
      if (changed != 1) {
        throw new IllegalStateException("changed " + changed);
      }
      if (random.nextBoolean()) {
        connection.rollback();
      }
    }
  }
}
