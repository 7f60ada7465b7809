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
package io.statesql.type.pojo;

import io.statesql.type.Codec;
import java.util.BitSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A class that extends that of a POJO's serializer.
 *
 * @param codec null if nothing tells how its values are stored
 * @param fields what says which fields it has: the codec, or that of another header of the
 *     operator; null if nothing does
 * @param isOfJob whether the codec is what the job's classes say, which may be of another version
 */
record PojoSubclass(String name, @Nullable Codec codec, @Nullable Codec fields, boolean isOfJob) {
  /** A subclass as a snapshot holds it. */
  PojoSubclass(String name, @Nullable Codec codec) {
    this(name, codec, codec, /* isOfJob= */ false);
  }

  boolean isDelimited() {
    return codec == null || codec.isDelimited();
  }

  PojoSubclass select(PojoTarget target, BitSet selected) {
    return codec == null
        ? this
        : new PojoSubclass(name, target.select(codec, selected), fields, isOfJob);
  }

  PojoSubclass mapParts(UnaryOperator<Codec> replacement) {
    return new PojoSubclass(
        name,
        codec == null ? null : replacement.apply(codec),
        fields == null ? null : replacement.apply(fields),
        isOfJob);
  }

  String simpleName() {
    return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
  }
}
