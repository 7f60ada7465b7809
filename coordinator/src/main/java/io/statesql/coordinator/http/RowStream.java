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

import com.fasterxml.jackson.core.JsonGenerator;
import io.statesql.coordinator.wire.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import java.util.List;

/**
 * The JSON of a reply with a list of many rows, {@code {"NAME":[...]}}, made as it is read: of rows
 * and text there is a page at a time.
 */
final class RowStream extends InputStream {
  private final Iterator<? extends List<?>> pages;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final JsonGenerator json = Json.generator(out);
  private final String name;
  private boolean isBegun;
  private byte[] chunk = new byte[0];
  private int position;

  /**
   * @param name of the field
   */
  RowStream(String name, Iterator<? extends List<?>> pages) {
    this.name = name;
    this.pages = pages;
  }

  @Override
  public int read() throws IOException {
    return fill() ? chunk[position++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
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
  private boolean fill() throws IOException {
    while (position == chunk.length) {
      if (json.isClosed()) {
        return false;
      }
      position = 0;
      if (!isBegun) {
        json.writeStartObject();
        json.writeArrayFieldStart(name);
        isBegun = true;
      } else if (pages.hasNext()) {
        for (Object row : pages.next()) {
          json.writePOJO(row);
        }
      } else {
        // Ends the array and the object, which are open.
        json.close();
      }
      json.flush();
      chunk = out.toByteArray();
      out.reset();
    }
    return true;
  }
}
