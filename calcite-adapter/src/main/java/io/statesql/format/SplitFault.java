package io.statesql.format;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.MalformedValueException;

/** Turns a fault in bytes into a message that says where they are. */
final class SplitFault {
  private SplitFault() {}

  /**
   * @param state null when the fault is not in one state's entry
   * @param keyGroup below 0 when the fault is not in one key group
   * @param compressed whether the offset counts decompressed bytes of the key group
   */
  static StateSqlException malformed(
      KeyedSplit split,
      String state,
      int keyGroup,
      boolean compressed,
      MalformedValueException fault) {
    StringBuilder where = new StringBuilder();
    where.append("Operator \"").append(split.operator().uidOrId()).append('"');
    where.append(", subtask ").append(split.subtask());
    if (state != null) {
      where.append(", state \"").append(state).append('"');
    }
    if (keyGroup >= 0) {
      where.append(", key group ").append(keyGroup);
    }
    where.append(": ").append(split.file());
    where.append(compressed ? " is damaged at decompressed offset " : " is damaged at offset ");
    where.append(fault.offset()).append(": ").append(fault.getMessage());
    return new StateSqlException(ErrorCode.MALFORMED_SNAPSHOT, where.toString(), fault);
  }
}
