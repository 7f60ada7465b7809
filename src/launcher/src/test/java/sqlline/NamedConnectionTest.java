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
package sqlline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jline.reader.Candidate;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.junit.jupiter.api.Test;

/** What the Tab key offers at the prompt, on the sample that ships with the project. */
class NamedConnectionTest {
  private static final Path SAMPLE =
      Path.of("..", "..", "sql-examples", "snapshots", "orders").toAbsolutePath().normalize();

  @Test
  void namesOfOperatorsTheirTablesAndSystemTablesComplete() throws Exception {
    SqlLine shell = new SqlLine();
    shell.getOpts().set(BuiltInProperty.ISOLATION, "TRANSACTION_NONE");
    NamedConnection connection =
        new NamedConnection(shell, "", "jdbc:statesql:snapshot=" + SAMPLE, new Properties());
    shell.getDatabaseConnections().setConnection(connection);
    connection.connect();
    try (Terminal terminal =
        TerminalBuilder.builder()
            .streams(new PipedInputStream(new PipedOutputStream()), new PipedOutputStream())
            .system(false)
            .dumb(true)
            .build()) {
      LineReader reader =
          LineReaderBuilder.builder().terminal(terminal).parser(new SqlLineParser(shell)).build();
      shell.setLineReader(reader);

      assertThat(offered(connection, reader, "SELECT * FROM cust")).contains("customers");
      assertThat(offered(connection, reader, "SELECT * FROM customers.prof"))
          .contains("customers.profile");
      assertThat(offered(connection, reader, "SELECT * FROM operat")).contains("operators");
      assertThat(offered(connection, reader, "SELECT * FROM sys.st"))
          .contains("sys.states", "sys.state_files");
    } finally {
      connection.close();
    }
  }

  private static List<String> offered(NamedConnection connection, LineReader reader, String text) {
    ParsedLine line =
        reader
            .getParser()
            .parse(text, text.length(), org.jline.reader.Parser.ParseContext.COMPLETE);
    List<Candidate> candidates = new ArrayList<>();
    connection.getSqlCompleter().complete(reader, line, candidates);
    return candidates.stream().map(Candidate::value).toList();
  }
}
