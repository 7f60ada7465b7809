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
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a serializer snapshot says of the serializer that wrote a key, namespace or value.
 *
 * @param description how a user reads it, for example {@code Pojo<com.shop.Customer>} or {@code
 *     Map<String, Long>}; never empty
 * @param codec reads what the serializer wrote; opaque where that needs a class
 * @param jobHash of keys whose {@link Codec#keyHash} is null, what the job's own classes say; null
 *     without them. Right for a new key only once it was compared with keys that are there: the
 *     classes may be of another version than those that wrote the snapshot.
 * @param schema of a serializer that a header names; that of a part of it has none of its own
 */
public record StoredSerializer(
    String description, Codec codec, @Nullable KeyHash jobHash, StoredSchema schema) {
  /** Without what the job's classes say of keys. */
  public StoredSerializer(String description, Codec codec) {
    this(description, codec, null, StoredSchema.NONE);
  }

  public StoredSerializer withSchema(StoredSchema newSchema) {
    return new StoredSerializer(description, codec, jobHash, newSchema);
  }

  /** How a user reads the type of a serializer that has others for its parts. */
  public static String describe(String name, List<StoredSerializer> nested) {
    return nested.stream()
        .map(StoredSerializer::description)
        .collect(Collectors.joining(", ", name + "<", ">"));
  }
}
