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
package io.statesql.type.serializer;

/**
 * The Kryo that wrote the data. The serializer snapshot does not tell: {@code
 * KryoSerializerSnapshot} has version 2 and the same layout in Flink 1.20 and 2.3. The version of
 * the snapshot's {@code _metadata} does: 5 and later are written by Flink 2.
 */
public enum KryoVersion {
  /** Kryo 2.24 of Flink 1. */
  KRYO_2,
  /** Kryo 5.6 of Flink 2. */
  KRYO_5;

  /** Of the snapshot of {@code KryoSerializer} in both, flink-core 1.20 and 2.3. */
  public static final String SNAPSHOT_CLASS =
      "org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializerSnapshot";

  /** The newest version of {@code _metadata} that Flink 1 writes (1.20: version 4). */
  private static final int LAST_METADATA_OF_FLINK_1 = 4;

  /**
   * The Kryo of the Flink that wrote a snapshot.
   *
   * @param version of its {@code _metadata}
   */
  public static KryoVersion ofMetadata(int version) {
    return version <= LAST_METADATA_OF_FLINK_1 ? KRYO_2 : KRYO_5;
  }
}
