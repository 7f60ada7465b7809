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
package io.statesql.server;

import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import org.apache.calcite.avatica.proto.Requests.UpdateBatch;
import org.apache.calcite.avatica.remote.Service.ExecuteBatchRequest;
import org.apache.calcite.avatica.remote.TypedValue;

/** Values of parameters, from the wire to JDBC. */
final class ParameterRows {
  private ParameterRows() {}

  /**
   * The values of one execution. Client and embedded driver both count dates and times in the zone
   * of their own JVM, which so does not matter.
   *
   * @throws io.statesql.StateSqlException if one is not what it says that it is
   */
  static List<Object> of(List<TypedValue> values) {
    return values == null ? List.of() : convert(values, TypedValue::toJdbc);
  }

  /** The values of a batch, which the two serializations carry differently. */
  static List<List<Object>> of(ExecuteBatchRequest request) {
    List<List<Object>> rows = new ArrayList<>();
    if (request.hasProtoUpdateBatches()) {
      for (UpdateBatch batch : request.getProtoUpdateBatches()) {
        rows.add(convert(batch.getParameterValuesList(), TypedValue::protoToJdbc));
      }
    } else if (request.parameterValues != null) {
      request.parameterValues.forEach(row -> rows.add(of(row)));
    }
    return rows;
  }

  private static <T> List<Object> convert(
      List<T> values, BiFunction<T, Calendar, Object> conversion) {
    Calendar local = Calendar.getInstance(Locale.ROOT);
    List<Object> row = new ArrayList<>();
    for (T value : values) {
      try {
        row.add(conversion.apply(value, local));
      } catch (RuntimeException e) {
        // Avatica's conversions believe what a message says, and fail in every way.
        throw Malformed.because("parameter " + (row.size() + 1) + " is not of its type", e);
      }
    }
    return row;
  }
}
