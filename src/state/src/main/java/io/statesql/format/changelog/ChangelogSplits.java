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

import io.statesql.format.header.GuessedHeaders;
import io.statesql.format.model.KeyedLayout;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.SplitFault;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.SubtaskState;
import io.statesql.type.serializer.PojoNotes;
import io.statesql.type.serializer.StoredSerializer;
import io.statesql.type.serializer.UnknownSerializerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The splits of an operator that the changelog state backend wrote. A log without a base does not
 * hold the serializer of its keys; then that of another split of the operator, or of the keys of
 * its timers, is taken: all subtasks have the same.
 */
final class ChangelogSplits {
  private final Snapshot snapshot;
  private final OperatorState operator;
  private final ChangelogForm form;

  ChangelogSplits(Snapshot snapshot, OperatorState operator, ChangelogForm form) {
    this.snapshot = snapshot;
    this.operator = operator;
    this.form = form;
  }

  /** As {@link ChangelogForm#readAll}. */
  List<KeyedSplit> read(List<KeyedSplit> others) {
    List<KeyedSplit> splits = new ArrayList<>();
    List<List<KeyedSplit>> bases = new ArrayList<>();
    for (SubtaskState subtask : operator.subtasks()) {
      if (subtask.managedKeyedState() instanceof KeyedStateHandle.Changelog handle) {
        splits.add(
            new KeyedSplit(
                operator,
                subtask.index(),
                handle,
                null,
                "the changelog in " + snapshot.metadataFile(),
                snapshot.serializers().noting(new PojoNotes()),
                KeyedLayout.CHANGELOG));
        bases.add(form.bases(snapshot, operator, subtask.index(), handle));
      }
    }
    if (splits.isEmpty()) {
      return splits;
    }
    List<KeyedSplit> withHeaders = new ArrayList<>(others);
    bases.forEach(withHeaders::addAll);
    GuessedHeaders.confirmKeyed(withHeaders);
    StoredSerializer key = key(others, bases, splits);
    for (int i = 0; i < splits.size(); i++) {
      splits.set(i, withHeader(splits.get(i), key, bases.get(i)));
    }
    return splits;
  }

  private StoredSerializer key(
      List<KeyedSplit> others, List<List<KeyedSplit>> bases, List<KeyedSplit> changelogs) {
    Stream<StoredSerializer> ofHeaders =
        Stream.concat(others.stream(), bases.stream().flatMap(List::stream))
            .map(split -> split.header().key());
    Stream<StoredSerializer> ofTimers =
        changelogs.stream().map(split -> ChangelogStates.keyOfTimers(snapshot, split));
    return Stream.concat(ofHeaders, ofTimers)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseGet(ChangelogStates::unknownKey);
  }

  private KeyedSplit withHeader(KeyedSplit split, StoredSerializer key, List<KeyedSplit> bases) {
    bases.forEach(base -> base.header().pojos().reportTo(split.serializers().pojoNotes()));
    try {
      return split.withHeader(ChangelogStates.header(snapshot, split, key, bases));
    } catch (UnknownSerializerException e) {
      throw SplitFault.unknownSerializer(split, e);
    }
  }
}
