package io.statesql.server;

import java.sql.SQLException;

/** Carries an {@link SQLException} through Avatica's interfaces, which declare none. */
final class RequestFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RequestFailedException(SQLException cause) {
    super(cause);
  }
}
