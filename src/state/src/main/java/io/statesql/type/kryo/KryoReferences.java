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

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.util.MapReferenceResolver;
import com.esotericsoftware.kryo.util.Util;
import io.statesql.type.serializer.KryoVersion;

/**
 * Kryo's numbering of the objects of one value, with references checked: one must lead to an object
 * that has been read and is of the class that stands in front of the reference.
 */
final class KryoReferences extends MapReferenceResolver {
  private final KryoVersion version;

  KryoReferences(KryoVersion version) {
    this.version = version;
  }

  /** Kryo 2 numbers the constants of enums, too. */
  @Override
  @SuppressWarnings("rawtypes") // as the method that it overrides
  public boolean useReferences(Class type) {
    return super.useReferences(type)
        || (version == KryoVersion.KRYO_2 && !Util.isWrapperClass(type));
  }

  @Override
  @SuppressWarnings("rawtypes") // as the method that it overrides
  public Object getReadObject(Class type, int id) {
    if (id < 0 || id >= readObjects.size()) {
      throw new KryoException("a reference to object " + id + " of " + readObjects.size());
    }
    Object object = readObjects.get(id);
    if (object == null) {
      throw new KryoException("a reference to object " + id + ", which is not yet read");
    }
    Class<?> expected = type.isPrimitive() ? Util.getWrapperClass(type) : type;
    Class<?> found = KryoContent.typeOf(object);
    if (!expected.isAssignableFrom(found)) {
      throw new KryoException(
          "a reference to a " + found.getName() + " where a " + expected.getName() + " must be");
    }
    return object;
  }
}
