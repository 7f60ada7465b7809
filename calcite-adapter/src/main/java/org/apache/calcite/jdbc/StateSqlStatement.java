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
package org.apache.calcite.jdbc;

import io.statesql.plan.StatementCancellation;
import io.statesql.sql.SqlErrors;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.NoSuchStatementException;

/**
 * A statement that other threads can cancel and close while it is prepared, too. Avatica's own lets
 * them wait for its monitor, which is held until then.
 */
final class StateSqlStatement extends CalciteStatement {
  private final AtomicBoolean canceled;
  private volatile boolean isClosing;

  StateSqlStatement(
      StateSqlConnection connection,
      Meta.StatementHandle handle,
      int resultSetType,
      int resultSetConcurrency,
      int resultSetHoldability)
      throws NoSuchStatementException {
    super(connection, handle, resultSetType, resultSetConcurrency, resultSetHoldability);
    this.canceled = connection.getCancelFlag(this.handle);
  }

  @Override
  public ResultSet executeQuery(String sql) throws SQLException {
    // Of a statement that is closed meanwhile Avatica says that it is no query.
    return SqlErrors.<ResultSet, SQLException>translating(
        StatementCancellation.starting(canceled, 0), () -> super.executeQuery(sql));
  }

  // The monitor is held while the statement is prepared, which this is to end.
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  @Override
  public void cancel() throws SQLException {
    checkOpen();
    canceled.set(true);
  }

  @Override
  public boolean isClosed() throws SQLException {
    return isClosing || super.isClosed();
  }

  // As for cancel: closing waits for the monitor only when the statement knows that it is to end.
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  @Override
  public void close() throws SQLException {
    isClosing = true;
    canceled.set(true);
    super.close();
  }
}
