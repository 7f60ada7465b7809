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
package io.statesql.server;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.sql.StatementKind;
import java.sql.SQLException;
import java.util.Locale;

/**
 * Which statements a server takes from whom. It is asked before anything else sees a statement.
 *
 * @param writable whether statements may change state at all
 */
record StatementPolicy(boolean writable) {
  /**
   * Refuses what is not allowed.
   *
   * @return whether the statement changes something
   * @throws SQLException if it is no statement
   * @throws StateSqlException if it is not allowed
   */
  boolean check(User user, String sql) throws SQLException {
    return switch (StatementKind.of(sql)) {
      case QUERY, USE -> false;
      case CHANGE -> checkChange(user, Role.WRITER);
      case DROP_OPERATOR -> checkChange(user, Role.ADMIN);
      case OTHER ->
          throw new StateSqlException(
              ErrorCode.UNSUPPORTED_STATEMENT,
              "This server takes SELECT, VALUES, WITH, EXPLAIN PLAN FOR, SHOW, DESCRIBE, USE,"
                  + " INSERT, UPSERT, UPDATE, DELETE and DROP SCHEMA, and no other statements.");
    };
  }

  /**
   * Refuses changes that a user may not make.
   *
   * @throws StateSqlException if this user may make none
   */
  void checkChange(User user) {
    checkChange(user, Role.WRITER);
  }

  @CanIgnoreReturnValue
  private boolean checkChange(User user, Role needed) {
    if (!writable) {
      throw new StateSqlException(
          ErrorCode.READ_ONLY,
          "This server only reads; one that is started with --writable takes changes.");
    }
    if (!user.role().includes(needed)) {
      throw new StateSqlException(
          ErrorCode.PERMISSION_DENIED,
          "The user %s may not do this; it takes the role %s."
              .formatted(user.name(), needed.name().toLowerCase(Locale.ROOT)));
    }
    return true;
  }
}
