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

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.util.DefaultClassResolver;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.serializer.KryoVersion;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds the class of an object in Kryo data on the allow-list of {@link KryoClasses} only: an
 * identifier or a name that is not on it is an error, and no class is ever loaded by name. For one
 * {@link Kryo}; not thread-safe.
 */
final class KryoClassResolver extends DefaultClassResolver {
  private static final int MAX_SHOWN_NAME = 200;

  private final KryoClassIds ids;
  private final KryoVersion version;

  /** Names that this value has spelt out, by the number that later objects refer to them with. */
  private final Map<Integer, String> spelt = new HashMap<>();

  KryoClassResolver(KryoClassIds ids, KryoVersion version) {
    this.ids = ids;
    this.version = version;
  }

  @Override
  public Registration readClass(Input input) {
    int stored = input.readVarInt(true);
    if (stored == Kryo.NULL) {
      return null;
    }
    if (stored == NAME + 2) {
      return readName(input);
    }
    int id = stored - 2;
    Registration registration = getRegistration(id);
    if (registration != null) {
      return registration;
    }
    String name = ids.nameById().get(id);
    if (name == null) {
      throw new KryoException("no class has the identifier " + id);
    }
    return register(name);
  }

  @Override
  protected Registration readName(Input input) {
    return register(readText(input));
  }

  /** A name that is spelt out, or the number of one that was. */
  private String readText(Input input) {
    int number = input.readVarInt(true);
    String known = spelt.get(number);
    if (known != null) {
      return known;
    }
    String name = input.readString();
    if (name == null || !isClassName(name)) {
      throw new KryoException("a class name must be here, but what is here is none");
    }
    spelt.put(number, name);
    return name;
  }

  /** Reads a class that says what something is declared as, and makes no use of it. */
  void readDeclaredClass(Input input) {
    int stored = input.readVarInt(true);
    if (stored == NAME + 2) {
      readText(input);
    } else if (stored == Kryo.NULL || (stored - 2 >= 0 && !isKnown(stored - 2))) {
      throw new KryoException("no class has the identifier " + (stored - 2));
    }
  }

  private boolean isKnown(int id) {
    return getRegistration(id) != null || ids.nameById().containsKey(id);
  }

  @Override
  @SuppressWarnings("rawtypes") // as the method that it overrides
  public Registration registerImplicit(Class type) {
    return register(type.getName());
  }

  /** The registration of a class of objects, made when the class is first met. */
  private Registration register(String name) {
    KryoClasses.Allowed allowed = KryoClasses.value(name, version);
    if (allowed == null) {
      throw undecodable(
          name,
          version == KryoVersion.KRYO_2
              ? "which is no JDK value type; of other classes, what the Kryo 2 of Flink 1 wrote"
                  + " cannot be decoded, also with their jars"
              : "which is no JDK value type that can be decoded without it");
    }
    String serializer = ids.jobSerializerOf(name);
    if (serializer != null) {
      throw undecodable(name, "which the job wrote with a serializer of its own, " + serializer);
    }
    Registration known = getRegistration(allowed.type());
    if (known != null) {
      return known;
    }
    Serializer<?> made = allowed.serializer().get();
    return register(new Registration(allowed.type(), made, ids.idOf(name)));
  }

  /**
   * Whether text could be the binary name of a class, as opposed to bytes read in a wrong place.
   */
  private static boolean isClassName(String name) {
    return !name.isEmpty() && name.chars().allMatch(KryoClassResolver::isInClassName);
  }

  private static boolean isInClassName(int c) {
    boolean identifier = Character.isJavaIdentifierPart(c) && !Character.isIdentifierIgnorable(c);
    return identifier || ".[;-".indexOf(c) >= 0;
  }

  private static StateSqlException undecodable(String name, String reason) {
    String shown =
        name.length() <= MAX_SHOWN_NAME ? name : name.substring(0, MAX_SHOWN_NAME) + "...";
    return new StateSqlException(
        ErrorCode.UNDECODABLE_STATE,
        "the Kryo data holds an object of class " + shown + ", " + reason);
  }

  @Override
  public void reset() {
    spelt.clear();
  }
}
