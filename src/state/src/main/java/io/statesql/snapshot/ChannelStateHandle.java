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

/**
 * Records in flight that an unaligned checkpoint kept (Flink 2.3.0, {@code
 * ChannelStateHandleSerializerV1} and {@code V2}). Immutable.
 */
public sealed interface ChannelStateHandle {
  /**
   * The byte that stands for this kind of handle in {@code _metadata} of version 6; earlier
   * versions write none.
   */
  int typeCode();

  int subtaskIndex();

  /** How many bytes of the stream belong to this channel. */
  long stateSize();

  StreamHandle delegate();

  /** What stood before an operator. */
  sealed interface Input extends ChannelStateHandle {}

  /** What stood behind an operator. */
  sealed interface Output extends ChannelStateHandle {}

  /** One input channel. */
  record InputChannel(
      int subtaskIndex,
      int gateIndex,
      int channelIndex,
      ImmutableLongArray offsets,
      long stateSize,
      StreamHandle delegate)
      implements Input {
    static final int TYPE_CODE = 1;

    @Override
    public int typeCode() {
      return TYPE_CODE;
    }
  }

  /** One result subpartition. */
  record ResultSubpartition(
      int subtaskIndex,
      int partitionIndex,
      int subpartitionIndex,
      ImmutableLongArray offsets,
      long stateSize,
      StreamHandle delegate)
      implements Output {
    static final int TYPE_CODE = 2;

    @Override
    public int typeCode() {
      return TYPE_CODE;
    }
  }

  /** All input channels of a subtask; since metadata version 6. */
  record MergedInputChannels(
      int subtaskIndex, long stateSize, StreamHandle delegate, Bytes channelOffsets)
      implements Input {
    static final int TYPE_CODE = 3;

    @Override
    public int typeCode() {
      return TYPE_CODE;
    }
  }

  /** All result subpartitions of a subtask; since metadata version 6. */
  record MergedResultSubpartitions(
      int subtaskIndex, long stateSize, StreamHandle delegate, Bytes channelOffsets)
      implements Output {
    static final int TYPE_CODE = 4;

    @Override
    public int typeCode() {
      return TYPE_CODE;
    }
  }
}
