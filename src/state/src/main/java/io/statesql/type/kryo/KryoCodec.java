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

import com.esotericsoftware.kryo.util.Pool;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.Codec;
import io.statesql.type.ObjectCodec;
import io.statesql.type.ObjectKeyCodec;
import io.statesql.type.PartlyReadable;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.UnwritableValueException;
import io.statesql.type.serializer.KryoVersion;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Reads Kryo data that is declared to be of a class out of {@link KryoClasses}. */
public final class KryoCodec implements PartlyReadable {
  private static final int MAX_IDLE_DECODERS = 8;

  private final Class<?> declared;
  private final KryoColumn column;
  private final Pool<KryoDecoder> decoders;
  private final @Nullable ObjectCodec jobCodec;

  KryoCodec(Class<?> declared, KryoClassIds ids, KryoVersion version) {
    this(
        declared,
        new Pool<>(true, false, MAX_IDLE_DECODERS) {
          @Override
          protected KryoDecoder create() {
            return new KryoDecoder(ids, version);
          }
        },
        null);
  }

  private KryoCodec(Class<?> declared, Pool<KryoDecoder> decoders, @Nullable ObjectCodec jobCodec) {
    this.declared = declared;
    this.column = KryoColumn.of(declared);
    this.decoders = decoders;
    this.jobCodec = jobCodec;
  }

  /** Whether its values are JSON, and may hold objects of a class of the job. */
  private boolean mayHoldJobObjects() {
    return column.equals(KryoColumn.JSON);
  }

  /**
   * The same codec, which leaves to another what it cannot do: to read a value that holds an object
   * of a class of the job, where values show as JSON, and to write keys.
   *
   * @param newJobCodec reads the same values as JSON
   */
  @Override
  public KryoCodec orElse(ObjectCodec newJobCodec) {
    return new KryoCodec(declared, decoders, newJobCodec);
  }

  /** With the stored bytes beside what it shows, where a class of the job reads or writes them. */
  @Override
  public Codec ofKeyPart() {
    return jobCodec == null ? this : new ObjectKeyCodec(this, jobCodec, mayHoldJobObjects());
  }

  @Override
  public SqlType type() {
    return column.type();
  }

  @Override
  public Object read(StateInput in) {
    return read(in, Codec::read);
  }

  @Override
  public Object readLast(StateInput in) {
    return read(in, Codec::readLast);
  }

  /**
   * Reads a value.
   *
   * @param byJob how its classes read it, if they do
   */
  private Object read(StateInput in, BiFunction<Codec, StateInput, Object> byJob) {
    int start = in.position();
    Object value;
    try {
      value = decode(in);
    } catch (StateSqlException e) {
      return byJob.apply(jobCodecFor(e, start, in), in);
    }
    return value == null ? null : column.toSql().apply(value);
  }

  /**
   * Reads and forgets the value: the length of Kryo data is only known once it is decoded.
   *
   * @throws io.statesql.StateSqlException if the value holds an object of a class that cannot be
   *     decoded, so that its end is not known
   */
  @Override
  public void skip(StateInput in) {
    int start = in.position();
    try {
      decode(in);
    } catch (StateSqlException e) {
      jobCodecFor(e, start, in).skip(in);
    }
  }

  /** What can read a value that cannot be read here, before which the input is set back. */
  private Codec jobCodecFor(StateSqlException fault, int start, StateInput in) {
    if (jobCodec == null || !mayHoldJobObjects() || fault.code() != ErrorCode.UNDECODABLE_STATE) {
      throw fault;
    }
    in.position(start);
    return jobCodec;
  }

  private Object decode(StateInput in) {
    int start = in.position();
    KryoDecoder decoder = decoders.obtain();
    Object value = decoder.read(in);
    // Not when reading fails: an exception leaves Kryo in the middle of a value.
    decoders.free(decoder);
    if (value != null && !declared.isAssignableFrom(KryoContent.typeOf(value))) {
      in.position(start);
      throw in.malformed(
          "a %s is stored where a %s must be",
          KryoContent.typeOf(value).getName(), declared.getName());
    }
    return value;
  }

  @Override
  public void write(@Nullable Object value, StateOutput out) {
    throw new UnwritableValueException(unwritable());
  }

  @Override
  public String unwritable() {
    return "Kryo data can be read but not written";
  }

  /** {@code KryoSerializer.getLength()}. */
  @Override
  public int declaredLength() {
    return -1;
  }

  @Override
  public boolean isDelimited() {
    return true;
  }
}
