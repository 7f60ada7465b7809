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
package io.statesql.job;

import io.statesql.type.StateInput;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a declaration in the job's classes says of the objects that stand there. */
final class DeclaredTypes {
  private static final String RUNTIME = "org.apache.flink.api.java.typeutils.runtime.";

  /** Snapshots whose payload begins with the name of the class of the values (flink-core 2.3). */
  private static final Set<String> NAMING_SNAPSHOTS =
      Set.of(
          RUNTIME + "kryo.KryoSerializerSnapshot",
          RUNTIME + "ValueSerializer$ValueSerializerSnapshot",
          RUNTIME + "CopyableValueSerializer$CopyableValueSerializerSnapshot",
          RUNTIME + "WritableSerializer$WritableSerializerSnapshot");

  private DeclaredTypes() {}

  /**
   * The name of the class whose values a serializer writes.
   *
   * @param snapshot stands on a versioned snapshot
   * @return null if the snapshot does not begin with it
   */
  static @Nullable String ofSnapshot(StateInput snapshot) {
    String snapshotClass = snapshot.readUtf();
    snapshot.readInt();
    return NAMING_SNAPSHOTS.contains(snapshotClass) ? snapshot.readUtf() : null;
  }

  /** The class of a declared type; null if it names none, as a type variable. */
  static @Nullable Class<?> rawClass(@Nullable Type declared) {
    if (declared instanceof ParameterizedType parameterized) {
      return rawClass(parameterized.getRawType());
    }
    return declared instanceof Class<?> type ? type : null;
  }

  /**
   * An argument of a declared type.
   *
   * @param count how many arguments a type must have for this one to mean its elements
   * @return null if it has others, or none
   */
  static @Nullable Type argument(@Nullable Type declared, int index, int count) {
    return declared instanceof ParameterizedType parameterized
            && parameterized.getActualTypeArguments().length == count
        ? parameterized.getActualTypeArguments()[index]
        : null;
  }
}
