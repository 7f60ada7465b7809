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

import static java.nio.charset.StandardCharsets.UTF_8;

import io.statesql.type.Binary;
import io.statesql.type.SqlType;
import io.statesql.type.UnwritableValueException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;

/**
 * Text in UTF-8, or bytes: up to seven in the fixed part, with their number in its last byte and
 * that byte's highest bit set; others in an area.
 */
enum BinaryBytesForm implements BinaryForm {
  TEXT {
    @Override
    Object value(BinarySection in, int at, int size) {
      return in.text(at, size);
    }

    @Override
    byte[] bytes(Object value) {
      return utf8((String) value);
    }
  },
  BYTES {
    @Override
    Object value(BinarySection in, int at, int size) {
      return Binary.of(in.bytes(at, size));
    }

    @Override
    byte[] bytes(Object value) {
      return ((Binary) value).bytes();
    }
  };

  private static final int MAX_INLINED = 7;
  private static final int INLINED = 0x80;

  abstract Object value(BinarySection in, int at, int size);

  abstract byte[] bytes(Object value);

  /** The bytes of a text, which must be whole characters. */
  static byte[] utf8(String text) {
    try {
      ByteBuffer bytes = UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      return copy;
    } catch (CharacterCodingException e) {
      throw new UnwritableValueException("its text holds half of a surrogate pair", e);
    }
  }

  @Override
  public SqlType type() {
    return this == TEXT ? SqlType.Scalar.VARCHAR : SqlType.Scalar.VARBINARY;
  }

  @Override
  public int width() {
    return Long.BYTES;
  }

  @Override
  public Object read(BinarySection in, int at) {
    int last = in.byteAt(at + MAX_INLINED);
    if (last >= 0) {
      return value(in, BinaryAreaForm.areaOffset(in, at), BinaryAreaForm.areaSize(in, at));
    }
    int size = last & ~INLINED & 0xFF;
    if (size > MAX_INLINED) {
      throw in.malformed(at, size + " bytes cannot lie in " + MAX_INLINED);
    }
    return value(in, at, size);
  }

  @Override
  public void write(Object value, BinaryBuilder out, int at) {
    byte[] bytes = bytes(value);
    if (bytes.length > MAX_INLINED) {
      out.appendArea(at, bytes, bytes.length);
    } else {
      out.putBytes(at, bytes);
      out.putByte(at + MAX_INLINED, INLINED | bytes.length);
    }
  }

  @Override
  public void copy(BinarySection in, int at, BinaryBuilder out, int to) {
    if (in.byteAt(at + MAX_INLINED) < 0) {
      out.putLong(to, in.longAt(at));
    } else {
      BinaryAreaForm.copyArea(in, at, out, to);
    }
  }

  @Override
  public boolean isExact() {
    return true;
  }
}
