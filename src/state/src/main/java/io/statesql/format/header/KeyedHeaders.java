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
package io.statesql.format.header;

import io.statesql.format.model.KeyedHeader;
import io.statesql.snapshot.StateFile;
import io.statesql.type.MalformedValueException;
import io.statesql.type.serializer.SerializerContext;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The headers of the subtasks of an operator. They nearly always have the same bytes, and then they
 * are parsed once. Not thread-safe.
 */
public final class KeyedHeaders {
  private final Map<ByteBuffer, KeyedHeader> byBytes = new HashMap<>();

  /**
   * Reads the header at the start of a file.
   *
   * @param length of the header, which it must fill
   * @throws MalformedValueException if it does not, or is no header
   */
  public KeyedHeader read(StateFile file, long length, SerializerContext serializers) {
    if (length > KeyedHeaderReader.MAX_HEADER || length > file.length()) {
      throw new MalformedValueException(
          0, "its header cannot take " + length + " of " + file.length() + " bytes");
    }
    byte[] bytes = new byte[(int) length];
    file.readFully(bytes, 0, bytes.length);
    return byBytes.computeIfAbsent(
        ByteBuffer.wrap(bytes), key -> KeyedHeaderReader.read(bytes, serializers));
  }
}
