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
package io.statesql.schema;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A process that reads a snapshot and stops in the middle. */
final class SnapshotReaderProcess {
  private SnapshotReaderProcess() {}

  /** The arguments: a JDBC URL and a query with many rows. Waits for input after the first row. */
  public static void main(String[] args) throws SQLException, IOException {
    try (Connection connection = DriverManager.getConnection(args[0]);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(args[1])) {
      System.out.println(rows.next() ? "reading" : "no rows");
      System.out.flush();
      System.in.read();
    }
  }
}
