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
package io.statesql.type;

import io.statesql.type.serializer.JobClasses;
import java.util.List;

/**
 * The SQL shape of a stored type, independent of any planner. Immutable. Every type is nullable.
 *
 * <p>Java values by type, as {@link Codec#read} yields them: BOOLEAN {@link Boolean}; TINYINT
 * {@link Byte}; SMALLINT {@link Short}; INTEGER {@link Integer}; BIGINT {@link Long}; REAL {@link
 * Float}; DOUBLE {@link Double}; DECIMAL {@link java.math.BigDecimal}; VARCHAR {@link String};
 * VARBINARY {@link Binary}; DATE {@link Integer} (days since 1970-01-01); TIME {@link Integer}
 * (milliseconds of the day); TIMESTAMP {@link Long} (milliseconds since 1970-01-01T00:00:00 UTC);
 * rows {@code Object[]}; arrays {@link List}; maps {@link java.util.Map} in stored order.
 */
public sealed interface SqlType {

  /** A type without parts. */
  enum Scalar implements SqlType {
    BOOLEAN,
    TINYINT,
    SMALLINT,
    INTEGER,
    BIGINT,
    REAL,
    DOUBLE,
    /** A decimal of any precision and scale: the stored type does not limit it. */
    DECIMAL,
    VARCHAR,
    VARBINARY,
    DATE,
    /** Milliseconds of the day; finer digits are in a field beside it, see {@link Row#inline}. */
    TIME,
    /**
     * Milliseconds since the epoch; finer digits are in a field beside it, see {@link Row#inline}.
     */
    TIMESTAMP
  }

  /** A decimal whose precision and scale the serializer fixes. */
  record Decimal(int precision, int scale) implements SqlType {}

  /**
   * A type with named fields.
   *
   * @param inline whether the fields belong to the name of what encloses them: in a column or field
   *     {@code c}, a field whose name is {@code ""} shows as {@code c} and one called {@code
   *     _nanos} as {@code c_nanos}. Where no name encloses it (the element of an array) it is an
   *     ordinary row whose fields are called {@code value} and {@code nanos}.
   */
  record Row(List<Field> fields, boolean inline) implements SqlType {
    public Row {
      fields = List.copyOf(fields);
    }
  }

  /**
   * One field of a {@link Row}. Names may repeat or differ only by case; who shows them sees to it.
   */
  record Field(String name, SqlType type) {}

  record Array(SqlType element) implements SqlType {}

  record MapOf(SqlType key, SqlType value) implements SqlType {}

  /**
   * JSON text of an object of the job, which the job's own classes read; shown as VARCHAR.
   *
   * @param note one sentence for a user: what read it
   * @param isWritable whether such text may stand for an object that is to be written
   */
  record ObjectText(String note, boolean isWritable) implements SqlType {}

  /**
   * Bytes that cannot be decoded; shown as VARBINARY.
   *
   * @param reason one sentence for a user: what is missing, naming the class
   * @param needsClass whether it is a class of the job that is missing, so that {@link JobClasses}
   *     may help
   */
  record Opaque(String reason, boolean needsClass) implements SqlType {
    /** Bytes that no class would explain. */
    public Opaque(String reason) {
      this(reason, false);
    }
  }
}
