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
package io.statesql;

/** The causes that StateSQL can name, each with the SQLState that a JDBC client sees. */
public enum ErrorCode {
  /** A path that does not exist, or a state file that the metadata names and nobody finds. */
  FILE_NOT_FOUND("58P01"),
  /** The file system refused to let us read or write. */
  PERMISSION_DENIED("42501"),
  /** The file system failed. */
  IO_ERROR("58030"),
  /** A path that exists but holds no snapshot. */
  NOT_A_SNAPSHOT("58S01"),
  /**
   * Bytes that are not what their format says: truncated, flipped, or written by something else.
   */
  MALFORMED_SNAPSHOT("XX001"),
  /** A form, version or type of snapshot that this version of StateSQL does not read. */
  UNSUPPORTED_SNAPSHOT("0A001"),
  /** A state that cannot be decoded without a class of the job. */
  UNDECODABLE_STATE("58S02"),
  /** A process that read files for another one, and has ended before it was told to. */
  READER_ENDED("58S03"),
  /** A statement of a kind that is not accepted. */
  UNSUPPORTED_STATEMENT("0A000"),
  /** A statement that the parser or the validator refuses. */
  INVALID_STATEMENT("42000"),
  /** No such catalog. */
  UNKNOWN_CATALOG("3D000"),
  /** No such schema: no operator of that uid or id. */
  UNKNOWN_SCHEMA("3F000"),
  /** No such table. */
  UNKNOWN_TABLE("42S02"),
  /** No such column. */
  UNKNOWN_COLUMN("42S22"),
  /** A subquery that stands for one value and has more rows. */
  MANY_ROWS("21000"),
  /** A connection property, command-line option or argument of a function that is wrong. */
  INVALID_ARGUMENT("22023"),
  /** A change through a connection that may only read. */
  READ_ONLY("25006"),
  /** Another commit on the same snapshot came first. */
  TRANSACTION_CONFLICT("40001"),
  /** A row to be added that is there already. */
  DUPLICATE_ROW("23505"),
  /** A value that its stored type cannot hold, or a row that cannot be addressed. */
  UNWRITABLE_VALUE("22000"),
  /** A statement with a parameter that was not set. */
  MISSING_PARAMETER("07001"),
  /** A number beyond the range of its SQL type. */
  NUMERIC_OVERFLOW("22003"),
  /** A division by zero. */
  DIVISION_BY_ZERO("22012"),
  /** A text that is not what a conversion needs. */
  INVALID_VALUE("22018"),
  /** The statement was stopped by its client. */
  CANCELED("57014"),
  /** A value or row that takes more memory than the connection allows. */
  MEMORY_LIMIT("53200"),
  /** A coordinator that cannot be reached or was stopped. */
  CONNECTION_FAILED("08001"),
  /** A connection that the server does not know: closed, expired, or of before its restart. */
  UNKNOWN_CONNECTION("08003"),
  /** A message that lacks something, or holds what its protocol does not allow. */
  PROTOCOL_VIOLATION("08P01"),
  /** A statement that its server does not know: closed or expired. */
  UNKNOWN_STATEMENT("26000"),
  /** More connections or running statements than a server allows. */
  TOO_MANY("53300"),
  /** A statement that needs more memory than there is. */
  OUT_OF_MEMORY("53200"),
  /** A server that is about to end. */
  SHUTTING_DOWN("57P01"),
  /** A coordinator that does not let us in. */
  CONNECTION_REFUSED("08004"),
  /** A name and a password that are no user's of the server. */
  WRONG_PASSWORD("28P01"),
  /** A defect of StateSQL. */
  INTERNAL_ERROR("XX000"),
  /** A stored date or time beyond the range of its SQL type. */
  DATETIME_OVERFLOW("22008");

  private final String sqlState;

  ErrorCode(String sqlState) {
    this.sqlState = sqlState;
  }

  /**
   * Whether it is said of bytes that do not change, so that reading them again ends alike; not so
   * of files that could not be had.
   */
  public boolean isLasting() {
    return this == MALFORMED_SNAPSHOT || this == UNSUPPORTED_SNAPSHOT || this == UNDECODABLE_STATE;
  }

  /** Five characters, as {@link java.sql.SQLException#getSQLState()} returns them. */
  public String sqlState() {
    return sqlState;
  }
}
