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

import com.google.common.primitives.ImmutableLongArray;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.form.EditTarget;
import io.statesql.format.form.KeyedEdit;
import io.statesql.format.form.NewStream;
import io.statesql.format.model.KeyedSplit;
import io.statesql.snapshot.KeyedStateHandle.KeyGroupStream;
import io.statesql.type.MalformedValueException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.BitSet;

/**
 * Writes a file of key groups anew: those that change are encoded, the others copied. Not
 * thread-safe.
 */
final class KeyGroupsEdit {
  private final KeyedEdit edit;
  private final GroupEncoder encoder;
  private final EditTarget target;

  /** Encodes one key group with its changes. */
  @FunctionalInterface
  interface GroupEncoder {
    /**
     * Writes the key group.
     *
     * @param index of the key group in the file
     * @return whether anything is stored for it now
     */
    boolean encode(KeyGroupFile file, int index, OutputStream out) throws IOException;
  }

  KeyGroupsEdit(KeyedEdit edit, GroupEncoder encoder, EditTarget target) {
    this.edit = edit;
    this.encoder = encoder;
    this.target = target;
  }

  KeyGroupStream write(KeyGroupFile file) {
    KeyGroupStream old = (KeyGroupStream) edit.split().handle();
    try (NewStream stream = target.newStream()) {
      if (edit.split().header().length() > 0) {
        file.copyHeader(stream.out());
        target.copied(stream.position());
      }
      ImmutableLongArray.Builder offsets = ImmutableLongArray.builder(file.count());
      BitSet touched = edit.keyGroups();
      for (int i = 0; i < file.count(); i++) {
        target.cancellation().check();
        long start = stream.position();
        boolean isStored =
            touched.get(file.keyGroup(i)) ? encode(file, i, stream) : copy(file, i, stream);
        offsets.add(isStored ? start : file.emptyOffset());
      }
      return old.rewritten(offsets.build(), stream.finish(old.delegate()));
    } catch (MalformedValueException e) {
      throw malformed(e);
    } catch (IOException e) {
      throw target.failure(e);
    }
  }

  private boolean encode(KeyGroupFile file, int index, NewStream stream) throws IOException {
    long start = stream.position();
    boolean isStored = encoder.encode(file, index, stream.out());
    target.rewritten(stream.position() - start);
    return isStored;
  }

  private boolean copy(KeyGroupFile file, int index, NewStream stream) throws IOException {
    if (file.isEmpty(index)) {
      return false;
    }
    long start = stream.position();
    file.copy(index, stream.out());
    target.copied(stream.position() - start);
    return true;
  }

  private StateSqlException malformed(MalformedValueException fault) {
    KeyedSplit split = edit.split();
    return new StateSqlException(
        ErrorCode.MALFORMED_SNAPSHOT,
        "Operator \""
            + split.operator().uidOrId()
            + "\", subtask "
            + split.subtask()
            + ": "
            + split.file()
            + " is damaged at offset "
            + fault.offset()
            + (split.header().compressed() ? " of the decompressed bytes: " : ": ")
            + fault.getMessage()
            + ".",
        fault);
  }
}
