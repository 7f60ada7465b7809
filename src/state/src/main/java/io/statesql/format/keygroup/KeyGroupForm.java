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
import io.statesql.format.form.EditSize;
import io.statesql.format.form.EditTarget;
import io.statesql.format.form.KeyedEdit;
import io.statesql.format.form.KeyedForm;
import io.statesql.format.header.KeyedHeaders;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedHeader;
import io.statesql.format.model.KeyedLayout;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.SplitFault;
import io.statesql.format.model.SubtaskFile;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.KeyedStateHandle.KeyGroupStream;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import io.statesql.snapshot.StreamHandle;
import io.statesql.type.MalformedValueException;
import java.util.BitSet;
import java.util.function.UnaryOperator;

/**
 * A form with a header and one key group behind the other in a stream. Which of them it is, a
 * handle that both may have does not say: reading the header finds it out.
 */
abstract class KeyGroupForm implements KeyedForm {

  /** The elements in a file. */
  abstract KeyedElements elements(SplitScan scan, StateFile file, KeyGroupExtents extents);

  /** Encodes key groups with changes. */
  abstract KeyGroupsEdit.GroupEncoder encoder(KeyedEdit edit);

  @Override
  public KeyedSplit read(
      Snapshot snapshot,
      OperatorState operator,
      int subtask,
      KeyedStateHandle handle,
      KeyedHeaders headers) {
    KeyGroupStream stream = (KeyGroupStream) handle;
    try (StateFile file = SubtaskFile.open(snapshot, operator, subtask, stream.delegate())) {
      KeyedSplit split =
          new KeyedSplit(
              operator,
              subtask,
              handle,
              null,
              file.name(),
              snapshot.serializers(),
              KeyedLayout.CANONICAL);
      try {
        return probed(split.withHeader(header(split, file, headers)), file);
      } catch (MalformedValueException e) {
        throw SplitFault.malformed(split, null, -1, false, e);
      }
    }
  }

  private static KeyedHeader header(KeyedSplit split, StateFile file, KeyedHeaders headers) {
    long length =
        KeyGroupExtents.headerLength(((KeyGroupStream) split.handle()).offsets(), file.length());
    return split.isBase() && length <= file.length()
        ? BaseFile.readHeader(split, file, length)
        : headers.read(file, length, split.serializers());
  }

  /** Finds the layout where the handle does not say it, and tests a guess by what follows it. */
  private static KeyedSplit probed(KeyedSplit split, StateFile file) {
    if (split.handle() instanceof KeyedStateHandle.KeyGroups) {
      return split.withLayout(new LayoutProbe(split, file, extentsOf(split, file)).find());
    }
    if (split.header().isGuess()) {
      new LayoutProbe(split, file, extentsOf(split, file)).requireCanonical();
    }
    return split;
  }

  @Override
  public final KeyedElements open(Snapshot snapshot, SplitScan scan) {
    KeyedSplit split = scan.split();
    StateFile file = open(snapshot, split);
    try {
      return elements(scan, file, extents(split, file).within(split.keyGroups()));
    } catch (MalformedValueException e) {
      file.close();
      throw SplitFault.malformed(split, null, -1, false, e);
    }
  }

  static StateFile open(Snapshot snapshot, KeyedSplit split) {
    return SubtaskFile.open(
        snapshot, split.operator(), split.subtask(), ((KeyGroupStream) split.handle()).delegate());
  }

  /**
   * Opens the file of a split, to be carried part by part.
   *
   * @return to be closed by the caller
   */
  final KeyGroupFile file(Snapshot snapshot, KeyedSplit split) {
    StateFile file = open(snapshot, split);
    try {
      return new KeyGroupFile(split, file, extents(split, file), emptyOffset());
    } catch (MalformedValueException e) {
      file.close();
      throw SplitFault.malformed(split, null, -1, false, e);
    }
  }

  @Override
  public final KeyedStateHandle carry(
      KeyedStateHandle handle, UnaryOperator<StreamHandle> carrier) {
    KeyGroupStream stream = (KeyGroupStream) handle;
    return stream.in(carrier.apply(stream.delegate()));
  }

  @Override
  public final KeyedStateHandle edit(Snapshot base, KeyedEdit edit, EditTarget target) {
    try (KeyGroupFile file = file(base, edit.split())) {
      return new KeyGroupsEdit(edit, encoder(edit), target).write(file);
    }
  }

  @Override
  public final EditSize size(Snapshot base, KeyedEdit edit) {
    BitSet touched = edit.keyGroups();
    long bytes = edit.bytesPut();
    try (KeyGroupFile file = file(base, edit.split())) {
      for (int i = 0; i < file.count(); i++) {
        bytes += touched.get(file.keyGroup(i)) ? file.length(i) : 0;
      }
    }
    boolean isInMetadata =
        ((KeyGroupStream) edit.split().handle()).delegate() instanceof StreamHandle.ByteStream;
    return new EditSize(bytes, isInMetadata ? 0 : 1);
  }

  /** The offset that a handle states for a key group for which nothing is stored. */
  long emptyOffset() {
    return KeyGroupExtents.EMPTY;
  }

  /** Where the key groups of a handle lie. */
  KeyGroupExtents extents(KeyedSplit split, StateFile file) {
    return extentsOf(split, file);
  }

  private static KeyGroupExtents extentsOf(KeyedSplit split, StateFile file) {
    KeyGroupStream stream = (KeyGroupStream) split.handle();
    long headerLength = split.header().length();
    return split.isBase()
        ? KeyGroupExtents.ofPart(stream.keyGroups(), stream.offsets(), headerLength, file.length())
        : new KeyGroupExtents(stream.keyGroups(), stream.offsets(), headerLength, file.length());
  }
}
