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
package io.statesql.format.rocksdb;

import io.statesql.format.form.EditSize;
import io.statesql.format.form.EditTarget;
import io.statesql.format.form.KeyedEdit;
import io.statesql.format.form.KeyedForm;
import io.statesql.format.header.KeyedHeaders;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedLayout;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.SplitFault;
import io.statesql.format.model.SubtaskFile;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.KeyedStateHandle.LocalFile;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import io.statesql.snapshot.StreamHandle;
import io.statesql.type.MalformedValueException;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The files of a RocksDB database, whose states are described in a file of their own. */
public final class RocksDbForm implements KeyedForm {
  @Override
  public KeyedSplit read(
      Snapshot snapshot,
      OperatorState operator,
      int subtask,
      KeyedStateHandle handle,
      KeyedHeaders headers) {
    KeyedStateHandle.Incremental database = (KeyedStateHandle.Incremental) handle;
    try (StateFile file = SubtaskFile.open(snapshot, operator, subtask, database.metadata())) {
      KeyedSplit split =
          new KeyedSplit(
              operator,
              subtask,
              handle,
              null,
              file.name(),
              snapshot.serializers(),
              KeyedLayout.ROCKSDB);
      try {
        return split.withHeader(headers.read(file, file.length(), split.serializers()));
      } catch (MalformedValueException e) {
        throw SplitFault.malformed(split, null, -1, false, e);
      }
    }
  }

  @Override
  public KeyedElements open(Snapshot snapshot, SplitScan scan) {
    return open(snapshot, scan, RocksDbElements.Order.BY_STATE);
  }

  @Override
  public boolean isSortedByKey() {
    return true;
  }

  @Override
  public KeyedElements openByKey(Snapshot snapshot, SplitScan scan) {
    return open(snapshot, scan, RocksDbElements.Order.BY_KEY);
  }

  private static KeyedElements open(
      Snapshot snapshot, SplitScan scan, RocksDbElements.Order order) {
    return RocksDbElements.open(
        snapshot, scan, (KeyedStateHandle.Incremental) scan.split().handle(), order);
  }

  @Override
  public boolean headerKnowsClasses() {
    return true;
  }

  @Override
  public boolean isDatabase() {
    return true;
  }

  /**
   * All files become private ones: what a job shares between checkpoints it names relative to its
   * own folder, where a file of another savepoint is not.
   */
  @Override
  public KeyedStateHandle carry(KeyedStateHandle handle, UnaryOperator<StreamHandle> carrier) {
    KeyedStateHandle.Incremental database = (KeyedStateHandle.Incremental) handle;
    List<LocalFile> files =
        Stream.concat(database.shared().stream(), database.privateFiles().stream())
            .map(file -> new LocalFile(file.localPath(), carrier.apply(file.handle())))
            .toList();
    return new KeyedStateHandle.Incremental(
        database.checkpointId(),
        database.backendId(),
        database.keyGroups(),
        database.checkpointedSize(),
        carrier.apply(database.metadata()),
        List.of(),
        files,
        database.stateHandleId());
  }

  @Override
  public KeyedStateHandle edit(Snapshot base, KeyedEdit edit, EditTarget target) {
    return new RocksDbEdit(edit, target).write(base);
  }

  @Override
  public EditSize size(Snapshot base, KeyedEdit edit) {
    return RocksDbEdit.size(edit);
  }
}
