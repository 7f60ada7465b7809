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

import io.statesql.edit.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line for each change and each commit, at INFO, by a logger of its own. Passwords are nowhere
 * near; a statement is shown on one line and cut.
 */
public final class AuditLog {
  private static final Logger LOG = LoggerFactory.getLogger("io.statesql.server.audit");
  private static final int LONGEST_STATEMENT = 2000;

  private AuditLog() {}

  static void changed(User user, String connection, String sql, long rows) {
    LOG.info(
        "user={} connection={} changed rows={} by {}",
        oneLine(user.name()),
        oneLine(connection),
        rows,
        oneLine(sql));
  }

  static void failed(User user, String connection, String sql, String sqlState) {
    LOG.info(
        "user={} connection={} failed state={} by {}",
        oneLine(user.name()),
        oneLine(connection),
        sqlState,
        oneLine(sql));
  }

  static void committed(User user, String connection, Transaction.Commit commit) {
    LOG.info(
        "user={} connection={} committed catalog={} to {}",
        oneLine(user.name()),
        oneLine(connection),
        oneLine(commit.catalog()),
        commit.savepoint());
  }

  /** An entry was changed by its address, and the change is durable. */
  public static void changedEntry(User user, String commit, String request, String savepoint) {
    LOG.info(
        "user={} commit={} changed {} into {}",
        oneLine(user.name()),
        oneLine(commit),
        oneLine(request),
        oneLine(savepoint));
  }

  /** An entry was to be changed by its address, and was not. */
  public static void failedEntry(User user, String commit, String request, int status) {
    LOG.info(
        "user={} commit={} failed status={} by {}",
        oneLine(user.name()),
        oneLine(commit),
        status,
        oneLine(request));
  }

  /** Without line breaks, with which somebody could write lines of their own. */
  private static String oneLine(String text) {
    String shown =
        text.length() > LONGEST_STATEMENT ? text.substring(0, LONGEST_STATEMENT) + "..." : text;
    return shown.replaceAll("\\p{Cntrl}+", " ");
  }
}
