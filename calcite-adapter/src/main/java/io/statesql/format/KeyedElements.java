package io.statesql.format;

import io.statesql.StateSqlException;
import io.statesql.type.MalformedValueException;
import java.io.Closeable;

/**
 * Walks the elements of one keyed split, key group by key group in rising order, in stored order
 * within each. Not thread-safe. Whoever opened it closes it, also after an exception.
 */
public interface KeyedElements extends Closeable {

  /**
   * Moves to the next element of a state that was asked for.
   *
   * @return false after the last one
   * @throws StateSqlException if the bytes are not what the format says, or cannot be had
   */
  boolean next();

  /** The present element; always the same object, moved by {@link #next}. */
  KeyedElement element();

  /** Says of a fault found in the present element where that is: file, operator, state, offset. */
  StateSqlException malformed(MalformedValueException fault);

  /** Closes the files. */
  @Override
  void close();
}
