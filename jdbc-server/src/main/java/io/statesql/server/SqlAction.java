package io.statesql.server;

import java.sql.SQLException;

/** What is done with a JDBC object. */
@FunctionalInterface
interface SqlAction<T> {
  T run() throws SQLException;
}
