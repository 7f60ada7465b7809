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
package org.apache.calcite.avatica.remote;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.io.IOException;

/**
 * Writes a DOUBLE or REAL. JSON has no NaN and no infinity; Jackson would write a text, which the
 * client then takes for a number.
 */
final class FiniteNumber extends StdSerializer<Number> {
  private static final long serialVersionUID = 1L;

  private FiniteNumber() {
    super(Number.class);
  }

  static Module module() {
    return new SimpleModule()
        .addSerializer(Double.class, new FiniteNumber())
        .addSerializer(Float.class, new FiniteNumber());
  }

  @Override
  public void serialize(Number value, JsonGenerator json, SerializerProvider provider)
      throws IOException {
    if (!Double.isFinite(value.doubleValue())) {
      throw new StateSqlException(
          ErrorCode.INVALID_VALUE,
          "The result holds "
              + value
              + ", which JSON cannot carry; connect with serialization=protobuf.");
    }
    if (value instanceof Float single) {
      json.writeNumber(single);
    } else {
      json.writeNumber(value.doubleValue());
    }
  }
}
