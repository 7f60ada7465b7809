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
package io.statesql.type.kryo;

/**
 * One class that a job registered with Kryo, as {@code KryoSerializerSnapshotData} (Flink 1.7 to
 * 2.3) stores it.
 *
 * @param className binary name of the registered class
 * @param kind how the job chose the serializer of the class
 * @param serializerClass name of the serializer's class for {@link Kind#CLASS}, null where the
 *     snapshot does not tell
 */
public record KryoRegistration(String className, Kind kind, String serializerClass) {

  /** Stored as its ordinal: {@code KryoRegistration.SerializerDefinitionType}. */
  public enum Kind {
    /** Kryo's own choice for the class. */
    UNSPECIFIED,
    /** A serializer of the job, by class. */
    CLASS,
    /** A serializer of the job, as a Java-serialized object. */
    INSTANCE
  }
}
