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
package io.statesql.format.model;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.bytes.ValueTooLargeException;
import io.statesql.type.MalformedValueException;
import io.statesql.type.serializer.UnknownSerializerException;

/** Turns a fault in bytes into a message that says where they are. */
public final class SplitFault {
  private SplitFault() {}

  /**
   * The error about bytes that are not what they should be.
   *
   * @param state null when the fault is not in one state's entry
   * @param keyGroup below 0 when the fault is not in one key group
   * @param compressed whether the offset counts decompressed bytes of the key group
   */
  public static StateSqlException malformed(
      KeyedSplit split,
      String state,
      int keyGroup,
      boolean compressed,
      MalformedValueException fault) {
    return new StateSqlException(
        ErrorCode.MALFORMED_SNAPSHOT,
        where(split, state, keyGroup)
            + split.file()
            + (compressed ? " is damaged at decompressed offset " : " is damaged at offset ")
            + fault.offset()
            + ": "
            + fault.getMessage()
            + ".",
        fault);
  }

  /**
   * Says that an entry, list element or map entry takes more memory than one may.
   *
   * @param state null when it is not in one state's entry
   * @param keyGroup below 0 when it is not in one key group
   * @param compressed whether the offset counts decompressed bytes of the key group
   */
  public static StateSqlException tooLarge(
      KeyedSplit split,
      String state,
      int keyGroup,
      boolean compressed,
      ValueTooLargeException fault) {
    return new StateSqlException(
        ErrorCode.MEMORY_LIMIT,
        where(split, state, keyGroup) + fault.sentence(split.file(), compressed),
        fault);
  }

  /** Adds to a message about one value where that value is. */
  public static StateSqlException located(
      KeyedSplit split, KeyedElement element, StateSqlException fault) {
    return new StateSqlException(
        fault.code(),
        where(split, element.state().name(), element.keyGroup()) + fault.getMessage(),
        fault);
  }

  /**
   * Says that entries without lengths cannot be read, because one of their parts has no known end.
   *
   * @param offset where that part begins
   * @param reason why, naming the class
   * @param cause null if there is none
   */
  public static StateSqlException undelimited(
      KeyedSplit split, KeyedElement element, long offset, String reason, Throwable cause) {
    return new StateSqlException(
        ErrorCode.UNDECODABLE_STATE,
        where(split, element.state.name(), element.keyGroup)
            + "where its values end in "
            + split.file()
            + " cannot be found from offset "
            + offset
            + " on ("
            + reason
            + "); take a savepoint in canonical form (flink savepoint --type canonical), which stores"
            + " their lengths.",
        cause);
  }

  /** Says that nothing behind a serializer snapshot can be read, as its length is not known. */
  public static StateSqlException unknownSerializer(
      KeyedSplit split, UnknownSerializerException fault) {
    return new StateSqlException(
        ErrorCode.UNDECODABLE_STATE,
        where(split, null, -1)
            + "the states in "
            + split.file()
            + " cannot be read, because "
            + fault.getMessage()
            + "; take a savepoint in canonical form (flink savepoint --type canonical).",
        fault);
  }

  /** Where an element is, as the beginning of a message. */
  public static String where(KeyedSplit split, KeyedElement element) {
    return where(split, element.state.name(), element.keyGroup);
  }

  public static String where(KeyedSplit split, String state, int keyGroup) {
    StringBuilder where = new StringBuilder();
    where.append("Operator \"").append(split.operator().uidOrId()).append('"');
    where.append(", subtask ").append(split.subtask());
    if (state != null) {
      where.append(", state \"").append(state).append('"');
    }
    if (keyGroup >= 0) {
      where.append(", key group ").append(keyGroup);
    }
    return where.append(": ").toString();
  }
}
