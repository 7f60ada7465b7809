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
package io.statesql.format.keygroup;

import io.statesql.format.bytes.SnappyOutput;
import io.statesql.type.StateOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes one key group in the layout of the heap backend ({@code HeapSnapshotStrategy},
 * flink-runtime 2.3), state by state. Not thread-safe.
 */
final class HeapGroupWriter {
  private final OutputStream target;
  private final boolean compressed;

  /** Writes the number of the key group, which is never compressed. */
  HeapGroupWriter(OutputStream target, int keyGroup, boolean compressed) throws IOException {
    this.target = target;
    this.compressed = compressed;
    new DataOutputStream(target).writeInt(keyGroup);
  }

  /** Writes the entries of a state. */
  @FunctionalInterface
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a state.
   *
   * @param id its number in the header
   * @param entries how many the content holds
   */
  void write(int id, int entries, Content content) throws IOException {
    StateOutput head = new StateOutput();
    head.writeShort(id);
    head.writeInt(entries);
    if (compressed) {
      try (OutputStream out = SnappyOutput.stream(target)) {
        out.write(head.array(), 0, head.length());
        content.writeTo(out);
      }
    } else {
      target.write(head.array(), 0, head.length());
      content.writeTo(target);
    }
  }
}
