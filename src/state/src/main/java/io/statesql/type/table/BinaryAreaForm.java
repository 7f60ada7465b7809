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

import io.statesql.type.SqlType;
import org.jspecify.annotations.Nullable;

/**
 * Values that always have an area: rows, arrays, maps and what other serializers write. The fixed
 * part holds the length of the area in its first four bytes, and in the others where it begins.
 */
record BinaryAreaForm(BinaryContent content) implements BinaryForm {

  static int areaSize(BinarySection in, int at) {
    return in.intAt(at);
  }

  static int areaOffset(BinarySection in, int at) {
    return in.intAt(at + Integer.BYTES);
  }

  static void copyArea(BinarySection in, int at, BinaryBuilder out, int to) {
    byte[] area = in.bytes(areaOffset(in, at), areaSize(in, at));
    out.appendArea(to, area, area.length);
  }

  @Override
  public SqlType type() {
    return content.type();
  }

  @Override
  public int width() {
    return Long.BYTES;
  }

  @Override
  public Object read(BinarySection in, int at) {
    return content.read(in.area(areaOffset(in, at), areaSize(in, at)));
  }

  @Override
  public void write(Object value, BinaryBuilder out, int at) {
    out.appendArea(at, content.write(value));
  }

  @Override
  public void copy(BinarySection in, int at, BinaryBuilder out, int to) {
    copyArea(in, at, out, to);
  }

  @Override
  public @Nullable String unwritable() {
    return content.unwritable();
  }

  @Override
  public boolean isExact() {
    return content.isExact();
  }
}
