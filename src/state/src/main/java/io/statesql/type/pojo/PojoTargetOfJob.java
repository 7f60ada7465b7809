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
package io.statesql.type.pojo;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.RowShape;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.TruncatedValueException;
import io.statesql.type.UnwritableValueException;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A subclass whose fields only the job's classes tell. They may be of another version than those
 * that wrote the value; where that shows, it is no damage of the snapshot.
 */
record PojoTargetOfJob(PojoTarget target) implements PojoTarget {
  @Override
  public String className() {
    return target.className();
  }

  @Override
  public void read(StateInput in, Object[] row) {
    try {
      target.read(in, row);
    } catch (TruncatedValueException e) {
      // With more bytes it may fit.
      throw e;
    } catch (MalformedValueException e) {
      throw otherVersion(e);
    }
  }

  @Override
  public void readLast(StateInput in, Object[] row) {
    if (!readsAll(in, row)) {
      throw otherVersion(null);
    }
  }

  /**
   * Reads a value that takes all bytes that are left, if it fits the class.
   *
   * @return false if it does not; the input may stand anywhere then
   */
  boolean readsAll(StateInput in, Object[] row) {
    try {
      target.readLast(in, row);
      return in.remaining() == 0;
    } catch (MalformedValueException e) {
      return false;
    }
  }

  @Override
  public void skip(StateInput in) {
    try {
      target.skip(in);
    } catch (TruncatedValueException e) {
      throw e;
    } catch (MalformedValueException e) {
      throw otherVersion(e);
    }
  }

  @Override
  public void write(Object[] row, StateOutput out) {
    target.write(row, out);
  }

  @Override
  public void splice(StateInput old, Object[] row, BitSet replaced, StateOutput out) {
    try {
      target.splice(old, row, replaced, out);
    } catch (MalformedValueException e) {
      throw new UnwritableValueException(
          "it is of the class " + className() + ", which is of another version in the jars", e);
    }
  }

  @Override
  public @Nullable String unwritable() {
    return target.unwritable();
  }

  @Override
  public List<RowShape.Slot> slots() {
    return target.slots();
  }

  @Override
  public Codec select(Codec codec, BitSet fields) {
    return target.select(codec, fields);
  }

  private StateSqlException otherVersion(@Nullable MalformedValueException fault) {
    return new StateSqlException(
        ErrorCode.UNDECODABLE_STATE,
        "A value is of the class "
            + className()
            + ", for which the snapshot stores no serializer, and does not fit the class of that"
            + " name in the jars: give the jar that the job ran with.",
        fault);
  }
}
