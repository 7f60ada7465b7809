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
package io.statesql.type.table;

import io.statesql.type.DateTimeValues;
import io.statesql.type.SqlType;

/**
 * Timestamps of more than three digits: the milliseconds lie in an area of eight bytes; the fixed
 * part holds, beside its place, the nanoseconds beyond them.
 */
enum BinaryTimestampForm implements BinaryForm {
  INSTANCE;

  @Override
  public SqlType type() {
    return DateTimeValues.NANO_TIMESTAMP;
  }

  @Override
  public int width() {
    return Long.BYTES;
  }

  @Override
  public Object read(BinarySection in, int at) {
    int nanos = in.intAt(at);
    if (nanos < 0 || nanos >= DateTimeValues.NANOS_PER_MILLI) {
      throw in.malformed(at, nanos + " is not a number of nanoseconds within a millisecond");
    }
    return new Object[] {in.longAt(BinaryAreaForm.areaOffset(in, at)), nanos};
  }

  @Override
  public boolean isNull(Object value) {
    return value == null || ((Object[]) value)[0] == null;
  }

  @Override
  public void write(Object value, BinaryBuilder out, int at) {
    Object[] timestamp = (Object[]) value;
    int nanos = DateTimeValues.nanos(timestamp);
    put((long) timestamp[0], nanos, out, at);
  }

  private static void put(long millis, int nanos, BinaryBuilder out, int at) {
    int areaOffset = out.append(Long.BYTES);
    out.putLong(areaOffset, millis);
    out.putArea(at, areaOffset, nanos);
  }

  @Override
  public int areaOfNull() {
    return Long.BYTES;
  }

  @Override
  public void copy(BinarySection in, int at, BinaryBuilder out, int to) {
    put(in.longAt(BinaryAreaForm.areaOffset(in, at)), in.intAt(at), out, to);
  }
}
