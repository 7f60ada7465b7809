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

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.ScanContext;
import io.statesql.StateSqlException;
import io.statesql.format.form.KeyedEdit;
import io.statesql.snapshot.MetadataWriter;
import io.statesql.snapshot.OperatorId;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.SnapshotMetadata;
import io.statesql.snapshot.SubtaskState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a savepoint of a snapshot and changes. What the changes do not touch is carried byte for
 * byte, and the snapshot itself is never written to. The savepoint holds all of its files, named
 * relative to its folder, so that it can be moved and its source deleted. Its metadata has the
 * version of the source's; since Flink before 1.11 knows no relative names, one of version 2 is
 * opened by Flink 1.11 and later only. One use, one thread.
 */
public final class SavepointWriter {
  private static final String METADATA = "_metadata";

  private final Snapshot base;
  private final SnapshotChanges changes;
  private final Cancellation cancellation;
  private final EditTally tally;
  private final Map<OperatorId, OperatorEdit> edits = new LinkedHashMap<>();

  /**
   * @param changes not to be changed before the writer is done
   */
  public SavepointWriter(
      Snapshot base, SnapshotChanges changes, Cancellation cancellation, CommitProgress progress) {
    ScanContext scan = base.scan();
    this.base =
        base.within(new ScanContext(cancellation, scan.counters(), scan.limits(), scan.shared()));
    this.changes = changes;
    this.cancellation = cancellation;
    this.tally = new EditTally(progress, base.metadata().stateSize());
  }

  /**
   * Says what {@link #write} would do, and writes nothing. The bytes to be rewritten are those that
   * the changed parts take now, and those of what is put.
   *
   * @throws StateSqlException if a change has no place, or is of a form of state that cannot be
   *     written, with the reason
   */
  public EditReport plan() {
    place();
    edits.values().forEach(OperatorEdit::estimate);
    return tally.report(null);
  }

  /**
   * Writes the savepoint. It stands at {@code target} as a whole or not at all, also after a crash.
   *
   * @param target a folder that does not exist, in one that does, on the local disk
   * @throws StateSqlException if there is something at the target, as {@link #plan}, or if the disk
   *     fails or is full; nothing is left behind then
   */
  public EditReport write(Path target, CommitRecord record) {
    return write(SavepointName.fixed(target), record);
  }

  /** The same under a name that is known last. */
  EditReport write(SavepointName name, CommitRecord record) {
    place();
    try (SavepointFolder folder = SavepointFolder.create(name, cancellation)) {
      List<OperatorState> operators = writeOperators(folder);
      SnapshotMetadata metadata = base.metadata();
      folder.writeMark(EditRecord.of(base, record, tally.report(null)));
      folder.write(
          METADATA,
          MetadataWriter.write(
              new SnapshotMetadata(
                  metadata.location(),
                  metadata.version(),
                  metadata.checkpointId(),
                  metadata.masterStates(),
                  operators,
                  metadata.properties())));
      return tally.report(folder.commit());
    }
  }

  private List<OperatorState> writeOperators(SavepointFolder folder) {
    HandleCarrier carrier = new HandleCarrier(base, folder, tally);
    List<KeyedEdit> keyed = edits.values().stream().flatMap(OperatorEdit::keyed).toList();
    try (KeyedWrites writes =
        KeyedWrites.begin(keyed, base, folder, carrier, tally, cancellation)) {
      List<OperatorState> operators = new ArrayList<>();
      for (OperatorState operator : base.metadata().operators()) {
        if (!isDropped(operator)) {
          operators.add(write(operator, folder, carrier, writes));
        }
      }
      return operators;
    }
  }

  private boolean isDropped(OperatorState operator) {
    return changes.find(operator.id()).filter(OperatorChanges::isDropped).isPresent();
  }

  /** Finds a place for all changes before anything is written. */
  private void place() {
    for (OperatorId id : changes.operators()) {
      if (changes.find(id).isPresent() && base.metadata().findOperator(id).isEmpty()) {
        throw new StateSqlException(
            ErrorCode.UNKNOWN_SCHEMA,
            "There is no operator " + id + " in " + base.metadata().location() + ".");
      }
    }
    for (OperatorState operator : base.metadata().operators()) {
      OperatorChanges changed = changes.find(operator.id()).orElse(null);
      if (changed != null && changed.isDropped()) {
        tally.operator(operator.uidOrId());
        continue;
      }
      EditableForms.require(base, operator);
      if (changed != null) {
        edits.put(operator.id(), OperatorEdit.of(base, operator, changed, tally));
      }
    }
  }

  private OperatorState write(
      OperatorState operator, SavepointFolder folder, HandleCarrier carrier, KeyedWrites writes) {
    OperatorEdit edit = edits.get(operator.id());
    List<SubtaskState> subtasks =
        operator.subtasks().stream()
            .map(
                subtask ->
                    edit == null
                        ? carry(subtask, carrier)
                        : write(subtask, edit, folder, carrier, writes))
            .toList();
    return new OperatorState(
        operator.id(),
        operator.name(),
        operator.uid(),
        operator.parallelism(),
        operator.maxParallelism(),
        operator.coordinatorState(),
        operator.fullyFinished(),
        subtasks);
  }

  private SubtaskState carry(SubtaskState subtask, HandleCarrier carrier) {
    cancellation.check();
    return carrier.carry(
        subtask,
        carrier.carry(subtask.managedOperatorState()),
        carrier.carry(subtask.managedKeyedState()),
        carrier.carry(subtask.rawKeyedState()));
  }

  private SubtaskState write(
      SubtaskState subtask,
      OperatorEdit edit,
      SavepointFolder folder,
      HandleCarrier carrier,
      KeyedWrites writes) {
    cancellation.check();
    int index = subtask.index();
    OperatorStateEdit operatorState = edit.operatorState(index);
    KeyedEdit managed = edit.managed(index);
    KeyedEdit rawTimers = edit.rawTimers(index);
    return carrier.carry(
        subtask,
        operatorState == null
            ? carrier.carry(subtask.managedOperatorState())
            : operatorState.write(base, folder, tally),
        managed == null ? carrier.carry(subtask.managedKeyedState()) : writes.written(managed),
        rawTimers == null ? carrier.carry(subtask.rawKeyedState()) : writes.written(rawTimers));
  }
}
