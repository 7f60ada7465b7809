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

import io.statesql.type.Codec;
import io.statesql.type.KeyHash;
import io.statesql.type.ObjectCodec;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.UnwritableValueException;

/**
 * The classes of a job, as a user gave them in jars: what reads values of which the class-free
 * codecs of this package only know that they need a class. Code of the job runs in every method.
 * Safe for use by many threads; whoever opened it closes it.
 */
public interface JobClasses {
  /**
   * The codec of what a serializer wrote, by the serializer itself. Its type is {@link
   * SqlType.ObjectText}; it can tell where a value ends.
   *
   * @param snapshot stands on the class name of a versioned snapshot ({@code
   *     TypeSerializerSnapshot#writeVersionedSnapshot}) and is left after its payload
   * @throws MissingJobClassException if the serializer cannot be restored: a class is not there, or
   *     its code failed
   */
  ObjectCodec codec(StateInput snapshot) throws MissingJobClassException;

  /**
   * The snapshot of the serializer that Flink makes of a class, as it does when it restores a value
   * of a class for which a snapshot has none.
   *
   * @param className of the class of a value
   * @param pojoClass the class that it must extend
   * @return a versioned snapshot
   * @throws MissingJobClassException if the class is not there, does not extend the other, or its
   *     code failed
   */
  byte[] subclassSnapshot(String className, String pojoClass) throws MissingJobClassException;

  /**
   * The hash code of the objects that a serializer makes of keys. Nothing is loaded before it is
   * asked for; it then throws {@link UnwritableValueException} if the hash code of a key cannot be
   * known, or is not the same in every process.
   *
   * @param snapshot a versioned snapshot, all of it
   * @param codec writes the keys of that serializer
   */
  KeyHash keyHash(byte[] snapshot, Codec codec);
}
