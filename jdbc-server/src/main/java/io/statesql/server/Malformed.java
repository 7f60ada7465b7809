package io.statesql.server;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import org.jspecify.annotations.Nullable;

/** Messages that say too little, or nonsense. */
final class Malformed {
  private Malformed() {}

  /**
   * A part that a message must have.
   *
   * @throws StateSqlException if it has it not
   */
  static <T> T required(@Nullable T value, String name) {
    if (value == null) {
      throw because("it lacks " + name, null);
    }
    return value;
  }

  /** What a client is told. */
  static StateSqlException because(String reason, @Nullable Throwable cause) {
    return new StateSqlException(
        ErrorCode.PROTOCOL_VIOLATION,
        "The message is not one of Avatica's protocol: " + reason + ".",
        cause);
  }
}
