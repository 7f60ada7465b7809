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
package io.statesql.edit;

import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedChange;
import io.statesql.snapshot.Bytes;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bytes of a change in the file of a transaction, which nobody else reads. */
final class ChangeCodec {
  private static final int REMOVE = 0;
  private static final int PUT = 1;
  private static final int PUT_LIST = 2;
  private static final int NOTHING = -1;

  private ChangeCodec() {}

  static void write(EntryAddress address, EntryChange change, StateOutput out) {
    out.writeShort(address.keyGroup());
    writeBytes(address.key(), out);
    writeBytes(address.namespace(), out);
    writeBytes(address.mapKey(), out);
    out.writeLong(address.timestamp());
    if (change instanceof EntryChange.Put put) {
      out.writeByte(PUT);
      writeBytes(put.value(), out);
    } else if (change instanceof EntryChange.PutList list) {
      out.writeByte(PUT_LIST);
      out.writeInt(list.elements().size());
      list.elements().forEach(element -> writeBytes(element, out));
    } else {
      out.writeByte(REMOVE);
    }
  }

  private static void writeBytes(@Nullable Bytes bytes, StateOutput out) {
    if (bytes == null) {
      out.writeInt(NOTHING);
    } else {
      out.writeInt(bytes.length());
      out.writeBytes(bytes.toByteArray());
    }
  }

  static KeyedChange read(StateInput in) {
    EntryAddress address =
        new EntryAddress(
            in.readUnsignedShort(), readBytes(in), readBytes(in), readBytes(in), in.readLong());
    return new KeyedChange(address, readChange(in));
  }

  private static EntryChange readChange(StateInput in) {
    int kind = in.readByte();
    if (kind == PUT) {
      return new EntryChange.Put(readBytes(in));
    }
    if (kind == PUT_LIST) {
      int count = in.readCount(Integer.BYTES);
      List<Bytes> elements = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        elements.add(readBytes(in));
      }
      return new EntryChange.PutList(elements);
    }
    return EntryChange.REMOVE;
  }

  private static @Nullable Bytes readBytes(StateInput in) {
    int length = in.readInt();
    return length == NOTHING ? null : Bytes.copyOf(in.readBytes(length));
  }
}
