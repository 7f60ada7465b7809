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
 * Where a stream of state bytes is kept: Flink's {@code StreamStateHandle} as {@code _metadata}
 * stores it (Flink 2.3.0, {@code MetadataV2V3SerializerBase.deserializeStreamStateHandle}).
 * Immutable; {@link Snapshot#open(StreamHandle)} gives its bytes.
 */
public sealed interface StreamHandle {
  /** The byte that stands for this kind of handle in {@code _metadata}. */
  int typeCode();

  /** How many bytes the stream has. */
  long stateSize();

  /**
   * State inside of {@code _metadata} itself.
   *
   * @param handleName the name that the writer gave it; unique in the job, and no path
   */
  record ByteStream(String handleName, Bytes data) implements StreamHandle {
    static final int TYPE_CODE = 1;

    @Override
    public int typeCode() {
      return TYPE_CODE;
    }

    @Override
    public long stateSize() {
      return data.length();
    }
  }

  /** A whole file at an absolute path, which may have moved since. */
  record File(String path, long stateSize) implements StreamHandle {
    static final int TYPE_CODE = 2;

    @Override
    public int typeCode() {
      return TYPE_CODE;
    }
  }

  /** A whole file, named relative to the folder of {@code _metadata}. */
  record RelativeFile(String relativePath, long stateSize) implements StreamHandle {
    static final int TYPE_CODE = 6;

    @Override
    public int typeCode() {
      return TYPE_CODE;
    }
  }

  /**
   * A part of a file that several handles share (file merging). Offsets stored elsewhere count from
   * its start.
   */
  record SegmentFile(
      String path, long startPosition, long stateSize, Scope scope, String logicalFileId)
      implements StreamHandle {
    static final int TYPE_CODE = 15;

    @Override
    public int typeCode() {
      return TYPE_CODE;
    }
  }

  /** No bytes: the placeholder of file merging. */
  record EmptySegment() implements StreamHandle {
    static final int TYPE_CODE = 16;

    @Override
    public int typeCode() {
      return TYPE_CODE;
    }

    @Override
    public long stateSize() {
      return 0;
    }
  }

  /** Keyed state where a plain stream is expected; a form of old writers. */
  record KeyGroups(KeyGroupRange keyGroups, ImmutableLongArray offsets, StreamHandle delegate)
      implements StreamHandle {
    static final int TYPE_CODE = 3;

    @Override
    public int typeCode() {
      return TYPE_CODE;
    }

    @Override
    public long stateSize() {
      return delegate.stateSize();
    }
  }

  /** Who owns a file: Flink's {@code CheckpointedStateScope}, in its order. */
  enum Scope {
    EXCLUSIVE,
    SHARED
  }
}
