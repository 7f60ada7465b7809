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

import io.statesql.format.bytes.KeyGroupExtents;
import io.statesql.format.bytes.ValueTooLargeException;
import io.statesql.format.form.KeyedEdit;
import io.statesql.format.header.KeyedHeaders;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedLayout;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.SplitFault;
import io.statesql.format.model.SubtaskFile;
import io.statesql.format.scan.MatchingElements;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.KeyedStateHandle.KeyGroupStream;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import io.statesql.type.MalformedValueException;
import io.statesql.type.serializer.PojoNotes;
import io.statesql.type.serializer.SerializerContext;
import io.statesql.type.serializer.UnknownSerializerException;

/**
 * Timers in raw keyed state, beside the keyed state of a RocksDB backend. Their serializers stand
 * in each key group.
 */
public final class RawTimerForm extends KeyGroupForm {

  /** Reads what there is; the split has no header if it holds no timers. */
  @Override
  public KeyedSplit read(
      Snapshot snapshot,
      OperatorState operator,
      int subtask,
      KeyedStateHandle handle,
      KeyedHeaders headers) {
    SerializerContext serializers = snapshot.serializers().noting(new PojoNotes());
    KeyGroupStream stream = (KeyGroupStream) handle;
    try (StateFile file = SubtaskFile.open(snapshot, operator, subtask, stream.delegate())) {
      KeyedSplit split =
          new KeyedSplit(
              operator, subtask, handle, null, file.name(), serializers, KeyedLayout.RAW_TIMERS);
      try {
        return split.withHeader(RawTimers.header(file, extents(split, file), serializers));
      } catch (MalformedValueException e) {
        throw SplitFault.malformed(split, null, -1, false, e);
      } catch (ValueTooLargeException e) {
        throw SplitFault.tooLarge(split, null, -1, false, e);
      } catch (UnknownSerializerException e) {
        throw SplitFault.unknownSerializer(split, e);
      }
    }
  }

  @Override
  KeyedElements elements(SplitScan scan, StateFile file, KeyGroupExtents extents) {
    return new MatchingElements(new RawTimerElements(scan, file, extents), scan);
  }

  @Override
  KeyGroupsEdit.GroupEncoder encoder(KeyedEdit edit) {
    return new RawTimersEdit(edit);
  }

  @Override
  KeyGroupExtents extents(KeyedSplit split, StateFile file) {
    KeyGroupStream stream = (KeyGroupStream) split.handle();
    return KeyGroupExtents.ofRaw(stream.keyGroups(), stream.offsets(), file.length());
  }

  @Override
  long emptyOffset() {
    return KeyGroupExtents.EMPTY_RAW;
  }
}
