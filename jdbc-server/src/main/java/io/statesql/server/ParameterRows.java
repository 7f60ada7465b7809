package io.statesql.server;

import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.avatica.remote.Service.ExecuteBatchRequest;
import org.apache.calcite.avatica.remote.TypedValue;

/** Values of parameters, from the wire to JDBC. */
final class ParameterRows {
  private ParameterRows() {}

  /**
   * The values of one execution. Client and embedded driver both count dates and times in the zone
   * of their own JVM, which so does not matter.
   */
  static List<Object> of(List<TypedValue> values) {
    Calendar local = Calendar.getInstance(Locale.ROOT);
    List<Object> row = new ArrayList<>();
    if (values != null) {
      values.forEach(value -> row.add(value.toJdbc(local)));
    }
    return row;
  }

  /** The values of a batch, which the two serializations carry differently. */
  static List<List<Object>> of(ExecuteBatchRequest request) {
    List<List<Object>> rows = new ArrayList<>();
    if (request.hasProtoUpdateBatches()) {
      Calendar local = Calendar.getInstance(Locale.ROOT);
      request
          .getProtoUpdateBatches()
          .forEach(
              batch -> {
                List<Object> row = new ArrayList<>();
                batch
                    .getParameterValuesList()
                    .forEach(value -> row.add(TypedValue.protoToJdbc(value, local)));
                rows.add(row);
              });
    } else if (request.parameterValues != null) {
      request.parameterValues.forEach(row -> rows.add(of(row)));
    }
    return rows;
  }
}
