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
package io.statesql.golden;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;

/** Finds the serializer of an operator's keys, which a restored job would bring along. */
final class KeySerializers {
  private final Path folder;

  /**
   * Finds key serializers for one snapshot.
   *
   * @param folder of the snapshot
   */
  KeySerializers(Path folder) {
    this.folder = folder;
  }

  /**
   * The serializer in the handle's own header. A changelog without a base has no header; then the
   * one that the same job wrote for the same operator in a neighbouring snapshot.
   *
   * @throws IOException if a header or a neighbour's metadata is unreadable
   */
  TypeSerializer<?> of(KeyedStateHandle handle, OperatorState operator) throws IOException {
    Optional<StreamStateHandle> header = header(handle);
    return header.isPresent() ? read(header.get()) : ofNeighbour(operator);
  }

  private TypeSerializer<?> ofNeighbour(OperatorState operator) throws IOException {
    for (Path neighbour : SnapshotFolders.below(folder.getParent())) {
      if (SnapshotFolders.job(neighbour).equals(SnapshotFolders.job(folder))) {
        Optional<StreamStateHandle> header =
            SnapshotFolders.metadata(neighbour).getOperatorStates().stream()
                .filter(candidate -> candidate.getOperatorID().equals(operator.getOperatorID()))
                .flatMap(KeySerializers::handles)
                .flatMap(handle -> header(handle).stream())
                .findFirst();
        if (header.isPresent()) {
          return read(header.get());
        }
      }
    }
    throw new IllegalStateException(
        "No neighbouring snapshot tells the key serializer of operator "
            + operator.getOperatorID());
  }

  private static Stream<KeyedStateHandle> handles(OperatorState operator) {
    return operator.getStates().stream().flatMap(state -> state.getManagedKeyedState().stream());
  }

  private static Optional<StreamStateHandle> header(KeyedStateHandle handle) {
    if (handle instanceof KeyGroupsStateHandle keyGroups) {
      return Optional.of(keyGroups);
    } else if (handle instanceof IncrementalRemoteKeyedStateHandle incremental) {
      return Optional.of(incremental.getMetaDataStateHandle());
    }
    return Optional.empty();
  }

  private static TypeSerializer<?> read(StreamStateHandle header) throws IOException {
    KeyedBackendSerializationProxy<?> proxy =
        new KeyedBackendSerializationProxy<>(Thread.currentThread().getContextClassLoader());
    try (FSDataInputStream in = header.openInputStream()) {
      proxy.read(new DataInputViewStreamWrapper(in));
    }
    return proxy.getKeySerializerSnapshot().restoreSerializer();
  }
}
