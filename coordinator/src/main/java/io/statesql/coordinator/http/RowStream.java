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
package io.statesql.coordinator.http;

import io.statesql.coordinator.wire.Json;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;

/**
 * The JSON of a reply with a list of many rows, {@code {"NAME":[...]}}, made as it is read: of rows
 * and text there is a page at a time.
 */
final class RowStream extends InputStream {
  private final Iterator<? extends List<?>> pages;
  private byte[] chunk;
  private int position;
  private boolean hasRows;
  private boolean isEnded;

  /**
   * @param name of the field
   */
  RowStream(String name, Iterator<? extends List<?>> pages) {
    this.pages = pages;
    this.chunk = ("{\"" + name + "\":[").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public int read() {
    return fill() ? chunk[position++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int from, int length) {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, chunk.length - position);
    System.arraycopy(chunk, position, target, from, count);
    position += count;
    return count;
  }

  /** Sees that there is something in the chunk; false at the end. */
  private boolean fill() {
    while (position == chunk.length) {
      if (isEnded) {
        return false;
      }
      position = 0;
      if (pages.hasNext()) {
        chunk = rows(pages.next());
      } else {
        chunk = "]}".getBytes(StandardCharsets.UTF_8);
        isEnded = true;
      }
    }
    return true;
  }

  private byte[] rows(List<?> page) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Object row : page) {
      if (hasRows) {
        out.write(',');
      }
      hasRows = true;
      out.writeBytes(Json.write(row));
    }
    return out.toByteArray();
  }
}
