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

import io.statesql.type.StateInput;
import io.statesql.type.registry.StoredSerializers;
import io.statesql.type.serializer.SerializerContext;
import io.statesql.type.serializer.StoredSerializer;
import java.util.HashMap;
import java.util.Map;

/**
 * One state in a header, as Flink's {@code StateMetaInfoSnapshotReadersWriters} (1.8 to 2.3) writes
 * it for keyed and operator state alike.
 *
 * @param backendType {@code StateMetaInfoSnapshot.BackendStateType}, by ordinal
 */
public record StateMetaInfo(
    String name,
    int backendType,
    Map<String, String> options,
    Map<String, StoredSerializer> serializers) {
  /** An empty name, a kind, and two empty maps. */
  public static final int SHORTEST = Short.BYTES + 3 * Integer.BYTES;

  private static final int SHORTEST_OPTION = 2 * Short.BYTES;

  /**
   * Reads what a header says of one state.
   *
   * @throws io.statesql.type.serializer.UnknownSerializerException if one has no length assumed
   */
  public static StateMetaInfo read(StateInput in, SerializerContext context) {
    String name = in.readUtf();
    int backendType = in.readInt();
    Map<String, String> options = new HashMap<>();
    for (int left = in.readCount(SHORTEST_OPTION); left > 0; left--) {
      options.put(in.readUtf(), in.readUtf());
    }
    Map<String, StoredSerializer> serializers = new HashMap<>();
    for (int left = in.readCount(SHORTEST_OPTION); left > 0; left--) {
      String role = in.readUtf();
      serializers.put(
          role, StoredSerializers.readWithFormatVersion(in, context.at(name + "/" + role)));
    }
    return new StateMetaInfo(name, backendType, options, serializers);
  }

  /** The serializer of a role; its absence is an error at the input's position. */
  public StoredSerializer require(String role, StateInput in) {
    StoredSerializer serializer = serializers.get(role);
    if (serializer == null) {
      throw in.malformed("state %s has no %s", name, role);
    }
    return serializer;
  }
}
