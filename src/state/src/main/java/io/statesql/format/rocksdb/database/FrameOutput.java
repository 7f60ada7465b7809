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
package io.statesql.format.rocksdb.database;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Makes a frame of {@link ReaderProtocol}. Not thread-safe. */
final class FrameOutput {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  FrameOutput(byte kind) {
    bytes.write(kind);
  }

  FrameOutput number(int value) {
    try {
      out.writeInt(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  FrameOutput flag(boolean value) {
    bytes.write(value ? 1 : 0);
    return this;
  }

  /** Without the length before it. */
  FrameOutput raw(byte[] value, int length) {
    bytes.write(value, 0, length);
    return this;
  }

  FrameOutput string(byte[] value) {
    return number(value.length).raw(value, value.length);
  }

  FrameOutput string(String value) {
    return string(value.getBytes(UTF_8));
  }

  int length() {
    return bytes.size();
  }

  /** Writes the frame with its length before it. */
  void writeTo(OutputStream target) throws IOException {
    DataOutputStream framed = new DataOutputStream(target);
    framed.writeInt(bytes.size());
    bytes.writeTo(framed);
    framed.flush();
  }
}
