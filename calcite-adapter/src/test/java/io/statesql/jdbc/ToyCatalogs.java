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
package io.statesql.jdbc;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.sql.StateSqlTypeFactory;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.sql.type.SqlTypeName;

/** Two catalogs shaped like mounted snapshots. */
public final class ToyCatalogs {
  static final long NOON_2024_02_29 = 1_709_208_000_123L;
  static final BigDecimal DIGITS_38 = new BigDecimal("12345678901234567890123456789012345678");
  static final BigDecimal DIGITS_300 = new BigDecimal("7".repeat(100) + "." + "3".repeat(200));

  private ToyCatalogs() {}

  public static List<MountedCatalog> open(ConnectionOptions options) {
    return List.of(
        new MountedCatalog("shop", shop()), new MountedCatalog("other-shop", otherShop()));
  }

  private static Schema shop() {
    ToySchema orders =
        new ToySchema()
            .table(
                "keyed_state",
                new ToyTable(
                        b ->
                            b.add("state_key", SqlTypeName.VARCHAR)
                                .nullable(true)
                                .add("value", SqlTypeName.INTEGER)
                                .nullable(true)
                                .add("count", SqlTypeName.BIGINT)
                                .nullable(true)
                                .add("user", SqlTypeName.VARCHAR)
                                .nullable(true)
                                .add("key_group", SqlTypeName.INTEGER)
                                .nullable(true))
                    .row("a", 1, 10L, "ann", 3)
                    .row("b", 2, 20L, "bob", 4)
                    .row("ç", null, null, null, 5))
            .table("Totals", oneInteger("x", 1))
            .table("totals", oneInteger("x", 2))
            .table("Single", oneInteger("x", 3))
            .table("numbers", numbers())
            .table("decimals", decimals())
            .table("times", times())
            .table("composites", composites())
            .table("lines", lines())
            .table(
                "broken",
                oneInteger("x", 1)
                    .row(2)
                    .failsWith(
                        new StateSqlException(
                            ErrorCode.MALFORMED_SNAPSHOT,
                            "File f, operator o, state s: 3 bytes are missing at offset 7.")));
    ToySchema sys =
        new ToySchema()
            .table("operators", oneInteger("n", 42))
            .table("store_locations", oneInteger("n", 43))
            .table("states", oneInteger("n", 44));
    return new ToySchema()
        .schema("orders", orders)
        .schema("my-uid", new ToySchema().table("keyed_state", oneInteger("x", 7)))
        .schema("My-Uid", new ToySchema().table("keyed_state", oneInteger("x", 8)))
        .schema(
            "a.b \"c\"",
            new ToySchema().table("t_1%", oneInteger("x", 9)).table("tx1", oneInteger("x", 10)))
        .schema("other-shop", new ToySchema().table("t", oneInteger("x", 11)))
        .schema("sys", sys)
        .unlisted(
            name ->
                name.equals("hashed")
                    ? new ToySchema().table("keyed_state", oneInteger("x", 12))
                    : null);
  }

  private static Schema otherShop() {
    return new ToySchema()
        .schema("orders", new ToySchema().table("keyed_state", oneInteger("x", 100)))
        .schema("far", new ToySchema().table("t", oneInteger("x", 101)))
        .schema("sys", new ToySchema().table("operators", oneInteger("n", 142)));
  }

  static ToyTable oneInteger(String column, int value) {
    return new ToyTable(b -> b.add(column, SqlTypeName.INTEGER).nullable(true)).row(value);
  }

  private static ToyTable numbers() {
    return new ToyTable(
            b ->
                b.add("name", SqlTypeName.VARCHAR)
                    .nullable(true)
                    .add("t", SqlTypeName.TINYINT)
                    .nullable(true)
                    .add("s", SqlTypeName.SMALLINT)
                    .nullable(true)
                    .add("i", SqlTypeName.INTEGER)
                    .nullable(true)
                    .add("l", SqlTypeName.BIGINT)
                    .nullable(true)
                    .add("r", SqlTypeName.REAL)
                    .nullable(true)
                    .add("d", SqlTypeName.DOUBLE)
                    .nullable(true))
        .row(
            "max",
            Byte.MAX_VALUE,
            Short.MAX_VALUE,
            Integer.MAX_VALUE,
            Long.MAX_VALUE,
            Float.NaN,
            Double.NaN)
        .row("min", Byte.MIN_VALUE, Short.MIN_VALUE, Integer.MIN_VALUE, Long.MIN_VALUE, -0.0f, -0.0)
        .row("one", (byte) 1, (short) 1, 1, 1L, Float.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY)
        .row("two", (byte) 2, (short) 2, 2, 2L, 0.1f, 0.0);
  }

  private static ToyTable decimals() {
    return new ToyTable(
            b ->
                b.add("id", SqlTypeName.INTEGER)
                    .nullable(true)
                    .add("d", SqlTypeName.DECIMAL)
                    .nullable(true)
                    .add("bounded", SqlTypeName.DECIMAL, 10, 2)
                    .nullable(true))
        .row(1, DIGITS_38, new BigDecimal("1.50"))
        .row(2, DIGITS_300, new BigDecimal("2.25"))
        .row(3, new BigDecimal("1.0"), new BigDecimal("99999999.99"))
        .row(4, new BigDecimal("1.00"), new BigDecimal("0.00"))
        .row(5, null, null);
  }

  private static ToyTable times() {
    return new ToyTable(
            b ->
                b.add("id", SqlTypeName.INTEGER)
                    .nullable(true)
                    .add("ts", SqlTypeName.TIMESTAMP)
                    .nullable(true)
                    .add("d", SqlTypeName.DATE)
                    .nullable(true)
                    .add("tm", SqlTypeName.TIME)
                    .nullable(true))
        .row(1, NOON_2024_02_29, 19_782, 43_200_123)
        .row(2, -1L, -1, 0)
        .row(3, 253_402_300_800_000L, 2_932_897, 86_399_999)
        .row(4, -62_135_596_800_001L, -719_163, null)
        .row(5, null, null, null);
  }

  private static ToyTable composites() {
    return new ToyTable(
            b -> {
              RelDataTypeFactory f = new StateSqlTypeFactory();
              RelDataType row =
                  f.createTypeWithNullability(
                      f.builder()
                          .add("a", SqlTypeName.INTEGER)
                          .nullable(true)
                          .add("b", nullable(f, SqlTypeName.VARCHAR))
                          .add("at", nullable(f, SqlTypeName.TIMESTAMP))
                          .build(),
                      true);
              return b.add("id", SqlTypeName.INTEGER)
                  .nullable(true)
                  .add(
                      "items",
                      f.createTypeWithNullability(
                          f.createArrayType(nullable(f, SqlTypeName.VARCHAR), -1), true))
                  .add(
                      "attrs",
                      f.createTypeWithNullability(
                          f.createMapType(nullable(f, SqlTypeName.VARCHAR), row), true))
                  .add("nested", row)
                  .add(
                      "more",
                      f.createTypeWithNullability(
                          f.builder()
                              .add("d", nullable(f, SqlTypeName.DECIMAL))
                              .add("f", nullable(f, SqlTypeName.DOUBLE))
                              .add("bytes", nullable(f, SqlTypeName.VARBINARY))
                              .add("day", nullable(f, SqlTypeName.DATE))
                              .build(),
                          true));
            })
        .row(
            1,
            Arrays.asList("x", null, "\"é\""),
            map("k", new Object[] {5, "v", NOON_2024_02_29}),
            new Object[] {7, null, -1L},
            new Object[] {
              new BigDecimal("1.500"), Double.NaN, new ByteString(new byte[] {1, (byte) 0xff}), 0
            })
        .row(2, null, null, null, null);
  }

  private static ToySource lines() {
    List<Object[]> rows =
        List.of(
            new Object[] {1, List.of(new Object[] {1, "one"}, new Object[] {2, "two"})},
            new Object[] {2, null});
    return new ToySource(
        b -> {
          RelDataTypeFactory f = new StateSqlTypeFactory();
          RelDataType line =
              f.builder()
                  .add("a", nullable(f, SqlTypeName.INTEGER))
                  .add("b", nullable(f, SqlTypeName.VARCHAR))
                  .build();
          return b.add("id", SqlTypeName.INTEGER)
              .nullable(true)
              .add("lines", f.createTypeWithNullability(f.createArrayType(line, -1), true));
        },
        number -> number < rows.size() ? rows.get(number) : null,
        cancellation -> {});
  }

  private static RelDataType nullable(RelDataTypeFactory factory, SqlTypeName name) {
    return factory.createTypeWithNullability(factory.createSqlType(name), true);
  }

  private static Map<String, Object> map(String key, Object value) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(key, value);
    return map;
  }
}
