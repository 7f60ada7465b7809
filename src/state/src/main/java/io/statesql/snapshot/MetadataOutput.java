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
package io.statesql.snapshot;

import com.google.common.primitives.ImmutableLongArray;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import java.io.UTFDataFormatException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes the parts that a {@link MetadataInput} reads. */
final class MetadataOutput {
  private final StateOutput out = new StateOutput();

  void writeByte(int value) {
    out.writeByte(value);
  }

  void writeInt(int value) {
    out.writeInt(value);
  }

  void writeLong(long value) {
    out.writeLong(value);
  }

  void writeBoolean(boolean value) {
    out.writeBoolean(value);
  }

  /** Null is the empty text. */
  void writeUtf(@Nullable String text) {
    try {
      out.writeUtf(text == null ? "" : text);
    } catch (UTFDataFormatException e) {
      throw new UnwritableValueException("a text in the metadata is too long", e);
    }
  }

  void writeKeyGroupRange(KeyGroupRange keyGroups) {
    out.writeInt(keyGroups.start());
    out.writeInt(keyGroups.count());
  }

  void writeOffsets(ImmutableLongArray offsets) {
    offsets.forEach(out::writeLong);
  }

  void writeCountedOffsets(ImmutableLongArray offsets) {
    out.writeInt(offsets.length());
    writeOffsets(offsets);
  }

  void writeBytes(Bytes bytes) {
    out.writeBytes(bytes.toByteArray());
  }

  void writeCountedBytes(Bytes bytes) {
    out.writeInt(bytes.length());
    writeBytes(bytes);
  }

  <T> void writeList(List<T> list, Consumer<T> writer) {
    out.writeInt(list.size());
    list.forEach(writer);
  }

  byte[] toByteArray() {
    return out.toByteArray();
  }
}
