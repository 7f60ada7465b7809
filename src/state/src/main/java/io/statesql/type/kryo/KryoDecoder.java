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
import com.esotericsoftware.kryo.io.KryoBufferUnderflowException;
import com.google.common.base.Throwables;
import io.statesql.FaultText;
import io.statesql.StateSqlException;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.TruncatedValueException;
import io.statesql.type.serializer.KryoVersion;

/**
 * Reads values that Flink's KryoSerializer wrote, with Kryo 5 itself, set up as {@code
 * KryoSerializer.checkKryoInitialized} of Flink 2.3 does but confined to {@link KryoClasses}. What
 * Kryo 2.24 does otherwise in Flink 1 is in the input, the references and the classes. Not
 * thread-safe, and not to be used again once it has thrown.
 */
final class KryoDecoder {
  /** Objects within objects; deeper ones would exhaust the stack of a small thread. */
  static final int MAX_NESTING = 500;

  private final Kryo kryo;
  private final KryoVersion version;

  KryoDecoder(KryoClassIds ids, KryoVersion version) {
    this.version = version;
    kryo = new StrictKryo(new KryoClassResolver(ids, version), version);
    kryo.setReferences(true);
    kryo.setRegistrationRequired(false);
    kryo.setMaxDepth(MAX_NESTING);
    kryo.setClassLoader(NoClasses.INSTANCE);
  }

  /**
   * Reads one value and leaves the input after it. Where a fault is found the input stays where it
   * was.
   *
   * @return the value, with stand-ins of {@link KryoContent} in it, or null
   * @throws MalformedValueException if the bytes are no Kryo data
   * @throws StateSqlException if they hold an object of a class that is not in {@link KryoClasses}
   */
  Object read(StateInput in) {
    KryoInput input = KryoInput.of(version, in.array(), in.position(), in.remaining());
    Object value;
    try {
      value = kryo.readClassAndObject(input);
    } catch (StateSqlException e) {
      throw e;
    } catch (RuntimeException e) {
      // Kryo's serializers leave it to the JDK to refuse a month 13, a scale too far or a class
      // that
      // is no enum, each with an exception of its own.
      long offset = in.offset() + (input.position() - in.position());
      String reason = "Kryo data is not valid: " + reason(e);
      throw isTruncated(e)
          ? new TruncatedValueException(offset, 1, reason, e)
          : new MalformedValueException(offset, reason, e);
    }
    in.position(input.position());
    return value;
  }

  private static boolean isTruncated(RuntimeException e) {
    return Throwables.getCausalChain(e).stream()
        .anyMatch(KryoBufferUnderflowException.class::isInstance);
  }

  private static String reason(RuntimeException e) {
    return e.getMessage() == null ? "Kryo cannot read it" : FaultText.of(e);
  }

  /** Kryo that refuses an object which its serializer reads as null. */
  private static final class StrictKryo extends Kryo {
    StrictKryo(KryoClassResolver classes, KryoVersion version) {
      super(classes, new KryoReferences(version));
    }

    @Override
    public void reference(Object object) {
      if (object == null) {
        // Writers tell null by the class or the reference; here it would shift all references.
        throw new KryoException("an object that is there is said to be null");
      }
      super.reference(object);
    }
  }

  /** What Kryo would load classes with, if anything in it ever came to do so. */
  private static final class NoClasses extends ClassLoader {
    static final NoClasses INSTANCE = new NoClasses();

    private NoClasses() {
      super(null);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      throw new ClassNotFoundException(name);
    }
  }
}
