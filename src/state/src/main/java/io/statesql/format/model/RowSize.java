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

import io.statesql.snapshot.Bytes;
import io.statesql.type.Binary;
import java.util.List;
import java.util.Map;

/** About how much memory decoded values take, in bytes. */
public final class RowSize {
  /** The header of an object, and a reference to it. */
  private static final long OBJECT = 24;

  private static final long REFERENCE = 8;

  /** A text's two objects. */
  private static final long TEXT = 48;

  /** The place of an entry in a map. */
  public static final long MAP_ENTRY = 48;

  private RowSize() {}

  /** The size of a row, list, map or single value. */
  public static long of(Object value) {
    if (value == null) {
      return 0;
    }
    if (value instanceof Number) {
      return OBJECT;
    }
    if (value instanceof String text) {
      return TEXT + text.length();
    }
    if (value instanceof Object[] values) {
      long size = OBJECT + REFERENCE * values.length;
      for (Object each : values) {
        size += of(each);
      }
      return size;
    }
    if (value instanceof Binary bytes) {
      return TEXT + bytes.length();
    }
    if (value instanceof StoredElement element) {
      return OBJECT
          + of(element.key())
          + of(element.namespace())
          + of(element.mapKey())
          + of(element.value());
    }
    if (value instanceof Bytes bytes) {
      return TEXT + bytes.length();
    }
    if (value instanceof List<?> list) {
      long size = OBJECT;
      for (Object each : list) {
        size += REFERENCE + of(each);
      }
      return size;
    }
    if (value instanceof Map<?, ?> map) {
      long size = OBJECT;
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        size += MAP_ENTRY + of(entry.getKey()) + of(entry.getValue());
      }
      return size;
    }
    return OBJECT;
  }
}
