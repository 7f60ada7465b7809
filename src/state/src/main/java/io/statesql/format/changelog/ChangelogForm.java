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
package io.statesql.format.changelog;

import io.statesql.ErrorCode;
import io.statesql.ScanLimits;
import io.statesql.StateSqlException;
import io.statesql.format.form.EditSize;
import io.statesql.format.form.EditTarget;
import io.statesql.format.form.KeyedEdit;
import io.statesql.format.form.KeyedForm;
import io.statesql.format.header.KeyedHeaders;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.scan.MatchingElements;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StreamHandle;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Changes to be applied to bases, which may be of any other form. */
public final class ChangelogForm implements KeyedForm {
  private final Function<KeyedStateHandle, KeyedForm> ofHandle;
  private final Function<KeyedSplit, KeyedForm> ofSplit;

  /**
   * The form, by which bases are read as any other split.
   *
   * @param ofHandle the form that reads the header of a base
   * @param ofSplit the form that a base was found to have
   */
  public ChangelogForm(
      Function<KeyedStateHandle, KeyedForm> ofHandle, Function<KeyedSplit, KeyedForm> ofSplit) {
    this.ofHandle = ofHandle;
    this.ofSplit = ofSplit;
  }

  @Override
  public KeyedSplit read(
      Snapshot snapshot,
      OperatorState operator,
      int subtask,
      KeyedStateHandle handle,
      KeyedHeaders headers) {
    throw new StateSqlException(
        ErrorCode.UNSUPPORTED_SNAPSHOT,
        "Operator \""
            + operator.uidOrId()
            + "\", subtask "
            + subtask
            + ": its keyed state is in a changelog within a changelog, which this version of"
            + " StateSQL does not read; take a savepoint in canonical form (flink savepoint --type"
            + " canonical).");
  }

  /**
   * Reads the headers of the bases, and the whole log for the states that it introduces.
   *
   * @param others the operator's splits of other forms
   */
  public List<KeyedSplit> readAll(
      Snapshot snapshot, OperatorState operator, List<KeyedSplit> others) {
    return new ChangelogSplits(snapshot, operator, this).read(others);
  }

  /** Reads the headers of the bases of a changelog. */
  List<KeyedSplit> bases(
      Snapshot snapshot, OperatorState operator, int subtask, KeyedStateHandle.Changelog handle) {
    return handle.materialized().stream()
        .map(
            base ->
                ofHandle.apply(base).read(snapshot, operator, subtask, base, new KeyedHeaders()))
        .toList();
  }

  /** Opens a base. */
  KeyedElements openBase(Snapshot snapshot, SplitScan scan) {
    return ofSplit.apply(scan.split()).open(snapshot, scan);
  }

  /** Opens the bases of a split and applies the log to what they hold. */
  @Override
  public KeyedElements open(Snapshot snapshot, SplitScan scan) {
    KeyedSplit split = scan.split();
    List<KeyedSplit> ofHandle =
        bases(
            snapshot.readWith(split.serializers()),
            split.operator(),
            split.subtask(),
            (KeyedStateHandle.Changelog) split.handle());
    ofHandle.forEach(base -> base.header().pojos().reportTo(split.header().pojos()));
    // A change may be of an entry that does not meet the condition, and then the base's does.
    ElementCondition ofBases =
        ElementCondition.ofKeyGroups(scan.keyGroups().stream().boxed().collect(Collectors.toSet()));
    ChangelogBases bases = new ChangelogBases(snapshot, scan, ofBases, this, ofHandle);
    try {
      return new MatchingElements(
          new ChangelogElements(snapshot, scan, bases, memory(snapshot.scan().limits())), scan);
    } catch (StateSqlException e) {
      bases.close();
      throw e;
    }
  }

  /** Each piece would read the whole log. */
  @Override
  public boolean isDivisible() {
    return false;
  }

  @Override
  public long memory(ScanLimits limits) {
    return limits.changelogBytes();
  }

  /** Not if a base has no lengths. */
  @Override
  public boolean readsStatesApart() {
    return false;
  }

  /** The next checkpoints of a job that restores its files would still name them. */
  @Override
  public boolean isWritable() {
    return false;
  }

  @Override
  public KeyedStateHandle carry(KeyedStateHandle handle, UnaryOperator<StreamHandle> carrier) {
    throw notWritable();
  }

  @Override
  public KeyedStateHandle edit(Snapshot base, KeyedEdit edit, EditTarget target) {
    throw notWritable();
  }

  @Override
  public EditSize size(Snapshot base, KeyedEdit edit) {
    throw notWritable();
  }

  private static UnsupportedOperationException notWritable() {
    return new UnsupportedOperationException("A changelog is not written");
  }
}
