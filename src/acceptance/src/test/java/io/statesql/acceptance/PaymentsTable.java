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
package io.statesql.acceptance;

import static io.statesql.acceptance.QueryResult.quote;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The state of the orders job whose values are of three classes: a base class, a subclass that the
 * job registered, and one that it did not. The snapshot of the heap backend lacks the serializer of
 * the last, for it is written before the values are; then their bytes are shown.
 */
final class PaymentsTable {
  private static final String MODEL = "io.statesql.examples.orders.model.";

  private final Connection connection;
  private final String table;
  private final String prefix;

  /**
   * @param prefix of the columns of the state
   */
  PaymentsTable(Connection connection, String table, String prefix) {
    this.connection = connection;
    this.table = table;
    this.prefix = prefix;
  }

  /**
   * Compares all rows.
   *
   * @param expected as the input implies them, with the fields of all three classes
   */
  void assertHolds(List<Map<String, Object>> expected) throws SQLException {
    List<String> fields = new ArrayList<>(List.of("reference", "expiryMonth", "network"));
    boolean hasAllClasses = columns().contains(prefix + "code");
    if (hasAllClasses) {
      fields.addAll(List.of("code", "worth"));
    }
    Set<Object> classes = new HashSet<>();
    for (Map<String, Object> row : expected) {
      List<Object> payment = payment(row.get("state_key"), fields);
      String name = className(row);
      classes.add(name);
      assertThat(payment.get(0)).as("class of %s", row).isEqualTo(MODEL + name);
      boolean isVoucher = name.equals("VoucherPayment");
      for (int i = 0; i < fields.size(); i++) {
        assertThat(payment.get(i + 1))
            .as("%s of %s", fields.get(i), row)
            .isEqualTo(isVoucher && !hasAllClasses ? null : row.get(prefix + fields.get(i)));
      }
      if (isVoucher && !hasAllClasses) {
        byte[] bytes = (byte[]) payment(row.get("state_key"), List.of("pojo_bytes")).get(1);
        assertThat(new String(bytes, StandardCharsets.ISO_8859_1))
            .as("bytes of %s", row)
            .contains((String) row.get(prefix + "code"), (String) row.get(prefix + "reference"))
            .endsWith(stored((BigDecimal) row.get(prefix + "worth")));
      }
    }
    assertThat(classes).as("classes in %s", table).hasSize(3);
  }

  private String className(Map<String, Object> row) {
    if (row.get(prefix + "code") != null) {
      return "VoucherPayment";
    }
    return row.get(prefix + "network") == null ? "Payment" : "CardPayment";
  }

  private List<Object> payment(Object key, List<String> fields) throws SQLException {
    String sql =
        "SELECT %s, %s FROM customers.%s WHERE state_key = '%s'"
            .formatted(
                quote(prefix + "pojo_class"),
                fields.stream()
                    .map(field -> quote(prefix + field))
                    .collect(Collectors.joining(", ")),
                quote(table),
                key.toString().replace("'", "''"));
    List<List<Object>> rows = QueryResult.of(connection, sql, ResultSet::getObject).rows();
    assertThat(rows).as(sql).hasSize(1);
    return rows.get(0);
  }

  private Set<String> columns() throws SQLException {
    Set<String> names = new HashSet<>();
    try (ResultSet columns = connection.getMetaData().getColumns(null, "customers", table, null)) {
      while (columns.next()) {
        names.add(columns.getString("COLUMN_NAME"));
      }
    }
    return names;
  }

  /** How Flink ends the bytes of a voucher: the unscaled value, and the scale in four bytes. */
  private static String stored(BigDecimal worth) {
    byte[] digits = worth.unscaledValue().toByteArray();
    byte[] bytes = ByteBuffer.allocate(digits.length + 4).put(digits).putInt(worth.scale()).array();
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
