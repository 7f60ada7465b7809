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

import com.google.common.primitives.ImmutableLongArray;
import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.keygroup.KeyGroupFile;
import io.statesql.format.model.KeyedSplit;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StreamHandle;
import io.statesql.type.MalformedValueException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.BitSet;
import java.util.UUID;

/**
 * Writes a file of key groups anew: those that change are encoded, the others copied. Not
 * thread-safe.
 */
final class KeyGroupsEdit {
  private final KeyedEdit edit;
  private final GroupEncoder encoder;
  private final Cancellation cancellation;

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

  KeyGroupsEdit(KeyedEdit edit, Cancellation cancellation) {
    this.edit = edit;
    this.cancellation = cancellation;
    this.encoder =
        switch (edit.split().layout()) {
          case CANONICAL -> new CanonicalGroupEdit(edit)::encode;
          case HEAP -> new HeapGroupEdit(edit)::encode;
          case RAW_TIMERS -> new RawTimersEdit(edit)::encode;
          case ROCKSDB, CHANGELOG ->
              throw new IllegalArgumentException("No key groups: " + edit.split().layout());
        };
  }

  KeyedStateHandle write(Snapshot base, SavepointFolder folder, EditTally tally) {
    try (KeyGroupFile file = KeyGroupFile.open(base, edit.split());
        EditedFile edited = new EditedFile(folder)) {
      if (edit.split().header().length() > 0) {
        file.copyHeader(edited.out());
        tally.copied(edited.position());
      }
      ImmutableLongArray.Builder offsets = ImmutableLongArray.builder(file.count());
      BitSet touched = edit.keyGroups();
      for (int i = 0; i < file.count(); i++) {
        cancellation.check();
        long start = edited.position();
        boolean stored;
        if (touched.get(file.keyGroup(i))) {
          stored = encoder.encode(file, i, edited.out());
          tally.rewritten(edited.position() - start);
        } else {
          stored = !file.isEmpty(i);
          if (stored) {
            file.copy(i, edited.out());
            tally.copied(edited.position() - start);
          }
        }
        offsets.add(stored ? start : file.emptyOffset());
      }
      StreamHandle written = edited.finish(KeyGroupFile.delegate(edit.split().handle()));
      tally.rewrittenFile(written);
      return handle(offsets.build(), written);
    } catch (MalformedValueException e) {
      throw malformed(e);
    } catch (IOException e) {
      throw folder.failure(e);
    }
  }

  private KeyedStateHandle handle(ImmutableLongArray offsets, StreamHandle delegate) {
    KeyedStateHandle old = edit.split().handle();
    if (old instanceof KeyedStateHandle.KeyGroups keyGroups) {
      return new KeyedStateHandle.KeyGroups(
          old.keyGroups(),
          offsets,
          delegate,
          keyGroups.stateHandleId() == null ? null : UUID.randomUUID().toString());
    }
    return new KeyedStateHandle.KeyGroupsSavepoint(old.keyGroups(), offsets, delegate);
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
