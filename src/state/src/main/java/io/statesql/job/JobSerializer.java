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
import io.statesql.type.UnwritableValueException;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Function;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.jspecify.annotations.Nullable;

/**
 * A serializer that Flink restored from its snapshot with the classes of the job. Flink's
 * serializers serve one thread at a time, so each reader borrows a duplicate. Safe for use by many
 * threads.
 */
final class JobSerializer {
  private static final int MAX_IDLE = 8;

  private final JobCode code;
  private final TypeSerializer<Object> prototype;
  private final Queue<TypeSerializer<Object>> idle = new ArrayBlockingQueue<>(MAX_IDLE);

  private final @Nullable Class<?> declaredClass;

  private JobSerializer(
      JobCode code, TypeSerializer<Object> prototype, @Nullable Class<?> declaredClass) {
    this.code = code;
    this.prototype = prototype;
    this.declaredClass = declaredClass;
  }

  /**
   * Restores a serializer.
   *
   * @param snapshot stands on a versioned snapshot and is left after it
   * @throws JobCodeException if a class is missing, or fails
   */
  static JobSerializer restore(JobCode code, StateInput snapshot) throws JobCodeException {
    String declared = DeclaredTypes.ofSnapshot(new StateInput().reset(snapshot));
    return code.run(
        () -> {
          TypeSerializerSnapshot<Object> read =
              TypeSerializerSnapshot.readVersionedSnapshot(new JobInput(snapshot), code.loader());
          TypeSerializer<Object> serializer = read.restoreSerializer();
          Class<?> type = declared == null ? null : Class.forName(declared, false, code.loader());
          if (serializer instanceof KryoSerializer<Object> kryo && type != null) {
            // Looks at its fields, and at the class that it is declared in, as before the first
            // value: what is missing for that is missing for all of them.
            kryo.getKryo().getSerializer(type);
          }
          return new JobSerializer(code, serializer, type);
        });
  }

  /** What the serializer itself says, see {@link TypeSerializer#getLength}. */
  int length() throws JobCodeException {
    return code.run(prototype::getLength);
  }

  /** The class of its values as its snapshot declares it; null if that does not. */
  @Nullable Class<?> declaredClass() {
    return declaredClass;
  }

  /**
   * Reads a value and leaves the input after it.
   *
   * @param use what to make of the object; runs as code of the job does
   */
  <T> T read(JobInput in, Function<@Nullable Object, T> use) throws JobCodeException {
    TypeSerializer<Object> borrowed = borrow();
    T result = code.run(() -> use.apply(borrowed.deserialize(in)));
    // Not after a failure, which may leave a serializer in the middle of a value.
    idle.offer(borrowed);
    return result;
  }

  /** The JSON text of an object that was read; null for null. */
  @Nullable String text(@Nullable Object value) throws JobCodeException {
    return code.run(() -> ObjectText.of(value, declaredClass));
  }

  /**
   * The object that a JSON text describes.
   *
   * @throws UnwritableValueException if the text does not tell all of it
   */
  Object parse(String json) throws JobCodeException {
    return code.run(() -> ObjectParser.parse(json, declaredClass, code.loader()));
  }

  /** The bytes that the serializer writes of a value. */
  byte[] write(Object value) throws JobCodeException {
    TypeSerializer<Object> borrowed = borrow();
    DataOutputSerializer out = new DataOutputSerializer(64);
    code.run(
        () -> {
          borrowed.serialize(value, out);
          return null;
        });
    idle.offer(borrowed);
    return out.getCopyOfBuffer();
  }

  private TypeSerializer<Object> borrow() throws JobCodeException {
    TypeSerializer<Object> one = idle.poll();
    if (one != null) {
      return one;
    }
    synchronized (this) {
      return code.run(prototype::duplicate);
    }
  }
}
