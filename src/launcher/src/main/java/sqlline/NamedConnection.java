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

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jline.reader.Completer;

/**
 * A connection whose names complete, those of system tables too. They are read when they are first
 * asked for: a start should not wait for the names of all tables. Used by the thread of the shell.
 */
final class NamedConnection extends DatabaseConnection {
  private final SqlLine shell;
  private boolean complete;
  private Schema names;

  NamedConnection(SqlLine shell, String driver, String url, Properties properties) {
    super(shell, driver, url, null, null, properties);
    this.shell = shell;
  }

  /** Called when the connection opens; the names that were read are forgotten. */
  @Override
  void setCompletions(boolean skipMeta) {
    complete = false;
  }

  @Override
  Completer getSqlCompleter() {
    if (!complete) {
      super.setCompletions(false);
      complete = true;
    }
    return super.getSqlCompleter();
  }

  @Override
  Schema getSchema(boolean refresh) {
    if (names == null || refresh) {
      names = new Names();
    }
    return names;
  }

  /** The names of the current catalog. sqlline's own are those of tables that are no system's. */
  private final class Names extends Schema {
    private boolean whole;

    @Override
    Map<String, Map<String, Set<String>>> getSchema2tables() {
      Map<String, Map<String, Set<String>>> tables = super.getSchema2tables();
      if (!whole) {
        whole = true;
        try {
          addSystemTables(tables);
        } catch (SQLException e) {
          shell.handleException(e);
        }
      }
      return tables;
    }

    private void addSystemTables(Map<String, Map<String, Set<String>>> tables) throws SQLException {
      String catalog = getConnection().getCatalog();
      try (ResultSet found =
          getDatabaseMetaData().getTables(catalog, null, "%", new String[] {"SYSTEM TABLE"})) {
        while (found.next()) {
          tables
              .computeIfAbsent(found.getString("TABLE_SCHEM"), schema -> new HashMap<>())
              // Without columns: these are read when one is asked for.
              .put(found.getString("TABLE_NAME"), null);
        }
      }
    }
  }
}
