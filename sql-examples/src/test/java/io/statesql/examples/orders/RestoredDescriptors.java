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
package io.statesql.examples.orders;

import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.CommonOptionsKeys;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.CommonSerializerKeys;
import org.apache.flink.runtime.state.ttl.TtlAwareSerializer;

/** Describes a stored state by what its header says, to read and not to change it. */
final class RestoredDescriptors {

  private RestoredDescriptors() {}

  static StateDescriptor<? extends State, ?> of(StateMetaInfoSnapshot meta) {
    String name = meta.getName();
    TypeSerializer<?> value = valueSerializer(meta);
    StateDescriptor.Type type =
        StateDescriptor.Type.valueOf(meta.getOption(CommonOptionsKeys.KEYED_STATE_TYPE));
    return switch (type) {
      case VALUE -> new ValueStateDescriptor<>(name, value);
      case LIST ->
          new ListStateDescriptor<>(name, ((ListSerializer<?>) value).getElementSerializer());
      case MAP -> {
        MapSerializer<?, ?> map = (MapSerializer<?, ?>) value;
        yield new MapStateDescriptor<>(name, map.getKeySerializer(), map.getValueSerializer());
      }
      case REDUCING -> reducing(name, value);
      case AGGREGATING -> aggregating(name, value);
      default -> throw new IllegalStateException("Unexpected type of state " + type);
    };
  }

  private static <T> StateDescriptor<? extends State, ?> reducing(
      String name, TypeSerializer<T> serializer) {
    return new ReducingStateDescriptor<>(
        name,
        (left, right) -> {
          throw new UnsupportedOperationException("Only to read");
        },
        serializer);
  }

  private static <T> StateDescriptor<? extends State, ?> aggregating(
      String name, TypeSerializer<T> serializer) {
    return new AggregatingStateDescriptor<>(name, new ShowAccumulator<T>(), serializer);
  }

  private static TypeSerializer<?> valueSerializer(StateMetaInfoSnapshot meta) {
    TypeSerializer<?> serializer = serializer(meta, CommonSerializerKeys.VALUE_SERIALIZER);
    return serializer instanceof TtlAwareSerializer<?, ?> aware
        ? aware.getOriginalTypeSerializer()
        : serializer;
  }

  @SuppressWarnings("unchecked")
  static <T> TypeSerializer<T> serializer(StateMetaInfoSnapshot meta, CommonSerializerKeys key) {
    return (TypeSerializer<T>) meta.getTypeSerializerSnapshot(key).restoreSerializer();
  }

  /** The accumulator is the result. */
  private static final class ShowAccumulator<T> implements AggregateFunction<T, T, T> {

    private static final long serialVersionUID = 1L;

    @Override
    public T createAccumulator() {
      throw new UnsupportedOperationException("Only to read");
    }

    @Override
    public T add(T value, T accumulator) {
      throw new UnsupportedOperationException("Only to read");
    }

    @Override
    public T getResult(T accumulator) {
      return accumulator;
    }

    @Override
    public T merge(T left, T right) {
      throw new UnsupportedOperationException("Only to read");
    }
  }
}
