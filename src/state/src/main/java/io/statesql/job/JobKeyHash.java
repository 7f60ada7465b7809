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

import io.statesql.type.Codec;
import io.statesql.type.KeyHash;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hash codes of keys, computed by the job's own classes. Each is computed twice, in two class
 * loaders: where the two differ, as for enum constants, arrays and objects without a {@code
 * hashCode} of their own, they would differ between two processes too, and are refused. Flink warns
 * of such keys.
 */
final class JobKeyHash implements KeyHash {
  private final List<JobCode> codes;
  private final byte[] snapshot;
  private final Codec codec;
  private @Nullable JobSerializer[] serializers;

  /**
   * @param codes the same classes in two class loaders
   * @param snapshot of the serializer of the keys
   * @param codec writes keys as that serializer does
   */
  JobKeyHash(List<JobCode> codes, byte[] snapshot, Codec codec) {
    this.codes = List.copyOf(codes);
    this.snapshot = snapshot.clone();
    this.codec = codec;
  }

  @Override
  public int of(Object value) {
    StateOutput out = new StateOutput();
    codec.write(value, out);
    byte[] bytes = out.toByteArray();
    try {
      JobSerializer[] both = restored();
      int hash = hash(both[0], codes.get(0), bytes);
      if (hash(both[1], codes.get(1), bytes) != hash) {
        throw new UnwritableValueException(
            "the hash code of the job's own class is another one in each process (an enum, an array"
                + " or a class without a hashCode of its own is part of it), so it does not say in"
                + " which key group a new key belongs; keys that exist can be updated and deleted");
      }
      return hash;
    } catch (JobCodeException e) {
      throw new UnwritableValueException(
          "the hash code of a new key cannot be computed: "
              + e.getMessage()
              + "; keys that exist can be updated and deleted",
          e);
    }
  }

  private synchronized JobSerializer[] restored() throws JobCodeException {
    if (serializers == null) {
      JobSerializer[] both = new JobSerializer[codes.size()];
      for (int i = 0; i < both.length; i++) {
        both[i] = JobSerializer.restore(codes.get(i), new StateInput(snapshot));
      }
      serializers = both;
    }
    return serializers;
  }

  private static int hash(JobSerializer serializer, JobCode code, byte[] bytes)
      throws JobCodeException {
    StateInput in = new StateInput(bytes);
    Object key = serializer.read(new JobInput(in), object -> object);
    if (key == null || in.remaining() > 0 || !Arrays.equals(serializer.write(key), bytes)) {
      throw new UnwritableValueException(
          "the job's own serializer does not read and write the key as it would be stored");
    }
    refuseIdentity(key.getClass());
    return code.run(key::hashCode);
  }

  /** Refuses classes whose hash codes are numbers that the JVM draws. */
  private static void refuseIdentity(Class<?> type) {
    Class<?> declaring;
    try {
      declaring = type.getMethod("hashCode").getDeclaringClass();
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every class has a hashCode", e);
    }
    if (declaring == Object.class || declaring == Enum.class) {
      throw new UnwritableValueException(
          (declaring == Enum.class ? "the enum " : "the class ")
              + type.getName()
              + (declaring == Enum.class ? " has" : " does not override hashCode, so its keys have")
              + " another hash code in each process, which does not say in which key group a new"
              + " key belongs; keys that exist can be updated and deleted");
    }
  }
}
