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
package io.statesql.format.model;

import io.statesql.format.bytes.StatePlaces;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.SubtaskState;
import io.statesql.type.serializer.SerializerContext;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A range of key groups of one operator with the handle that holds them: the unit of reading.
 * Several splits may have the same handle.
 *
 * @param subtask the index of the subtask that wrote the handle
 * @param file how a message names the file: its path, or that it stands in the metadata
 * @param serializers how the serializer snapshots in it are read
 * @param layout how the bytes behind the handle are laid out
 * @param keyGroups those to be read, of the handle's
 * @param places what readers of the handle found, for those who come after them
 * @param obstacles what keeps readers of the handle from its states, as far as it was looked for
 */
public record KeyedSplit(
    OperatorState operator,
    int subtask,
    KeyedStateHandle handle,
    KeyedHeader header,
    String file,
    SerializerContext serializers,
    KeyedLayout layout,
    KeyGroupRange keyGroups,
    StagedState staged,
    StatePlaces places,
    Obstacles obstacles) {

  /** All key groups of a handle, without changes. */
  public KeyedSplit(
      OperatorState operator,
      int subtask,
      KeyedStateHandle handle,
      KeyedHeader header,
      String file,
      SerializerContext serializers,
      KeyedLayout layout) {
    this(
        operator,
        subtask,
        handle,
        header,
        file,
        serializers,
        layout,
        handle.keyGroups(),
        StagedState.NONE,
        new StatePlaces(),
        new Obstacles());
  }

  /** This split with the changes that there are now, and no later ones. */
  public KeyedSplit asOfNow() {
    return withStaged(staged.asOfNow());
  }

  /** This split with changes that its readers see. */
  public KeyedSplit withStaged(StagedState newStaged) {
    return new KeyedSplit(
        operator,
        subtask,
        handle,
        header,
        file,
        serializers,
        layout,
        keyGroups,
        newStaged,
        places,
        obstacles);
  }

  /** Why a state of it cannot be read to its end, without a full stop; null if it can. */
  public @Nullable String obstacle(String stateName) {
    return obstacles.of(stateName);
  }

  /**
   * Whether it is a base of a changelog, whose handle may cover a part of the key groups of its
   * file.
   */
  public boolean isBase() {
    return operator.subtasks().stream()
        .filter(state -> state.index() == subtask)
        .map(SubtaskState::managedKeyedState)
        .anyMatch(
            managed ->
                managed instanceof KeyedStateHandle.Changelog changelog
                    && changelog.materialized().contains(handle));
  }

  /** Whether it knows any of the states of these names. */
  public boolean hasAny(Set<String> stateNames) {
    return header.states().stream().anyMatch(state -> stateNames.contains(state.name()));
  }

  public KeyedSplit withHeader(KeyedHeader newHeader) {
    return new KeyedSplit(
        operator,
        subtask,
        handle,
        newHeader,
        file,
        serializers,
        layout,
        keyGroups,
        staged,
        places,
        obstacles);
  }

  public KeyedSplit withLayout(KeyedLayout newLayout) {
    return new KeyedSplit(
        operator,
        subtask,
        handle,
        header,
        file,
        serializers,
        newLayout,
        keyGroups,
        staged,
        places,
        obstacles);
  }

  public KeyedSplit withFile(String newFile) {
    return new KeyedSplit(
        operator,
        subtask,
        handle,
        header,
        newFile,
        serializers,
        layout,
        keyGroups,
        staged,
        places,
        obstacles);
  }

  /** Some of its key groups: those that lie in a range, too. */
  public KeyedSplit within(KeyGroupRange range) {
    return new KeyedSplit(
        operator,
        subtask,
        handle,
        header,
        file,
        serializers,
        layout,
        keyGroups.intersect(range),
        staged,
        places,
        obstacles);
  }

  /** About how many bytes it takes. */
  public long size() {
    return handle.keyGroups().count() == 0
        ? 0
        : (long) ((double) handle.stateSize() * keyGroups.count() / handle.keyGroups().count());
  }
}
