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
package io.statesql.snapshot;

import com.google.common.primitives.ImmutableLongArray;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operator (not keyed) state of one subtask: a stream, and for each state the offsets of its
 * elements in it.
 *
 * @param states in file order
 * @param fileMerging the folders of file merging; null when the state was not written with it
 */
public record OperatorStateHandle(
    List<NamedState> states, @Nullable FileMerging fileMerging, StreamHandle delegate) {
  static final int TYPE_CODE = 4;
  static final int FILE_MERGING_TYPE_CODE = 17;

  public OperatorStateHandle {
    states = List.copyOf(states);
  }

  /** The byte that stands for this kind of handle in {@code _metadata}. */
  public int typeCode() {
    return fileMerging == null ? TYPE_CODE : FILE_MERGING_TYPE_CODE;
  }

  /** How many bytes the stream has. */
  public long stateSize() {
    return delegate.stateSize();
  }

  /** One state: where its elements start in the stream. */
  public record NamedState(String name, Mode mode, ImmutableLongArray offsets) {}

  /** How Flink distributes a state over new subtasks: {@code OperatorStateHandle.Mode}. */
  public enum Mode {
    SPLIT_DISTRIBUTE,
    UNION,
    BROADCAST
  }

  /**
   * The managed folders of a writer with file merging.
   *
   * @param empty whether the writer recorded the handle only to own the folders
   */
  public record FileMerging(String taskOwnedDirectory, String sharedDirectory, boolean empty) {}
}
