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
package io.statesql.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.types.Either;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;

class ValueRendererTest {
  @Test
  void numbersStayNumbersWhereJsonHasThem() {
    assertThat(text(Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
    assertThat(text((byte) -1)).isEqualTo("-1");
    assertThat(text(1.1f)).isEqualTo("1.1");
    assertThat(text(-0.0)).isEqualTo("-0.0");
    assertThat(text(Double.NaN)).isEqualTo("\"NaN\"");
    assertThat(text(Float.NEGATIVE_INFINITY)).isEqualTo("\"-Infinity\"");
    assertThat(text(new BigDecimal("1E+3"))).isEqualTo("\"1000\"");
  }

  @Test
  void textTimesAndConstantsAreText() {
    assertThat(text("a\"b")).isEqualTo("\"a\\\"b\"");
    assertThat(text(TimeUnit.DAYS)).isEqualTo("\"DAYS\"");
    assertThat(text(LocalDate.of(2024, 2, 29))).isEqualTo("\"2024-02-29\"");
    assertThat(text(Instant.ofEpochMilli(1))).isEqualTo("\"1970-01-01T00:00:00.001Z\"");
    assertThat(text(Date.from(Instant.EPOCH))).isEqualTo("\"1970-01-01T00:00:00Z\"");
    assertThat(text(new byte[] {1, -1})).isEqualTo("\"01ff\"");
    assertThat(text(null)).isEqualTo("null");
    assertThat(text(VoidNamespace.INSTANCE)).isEqualTo("null");
  }

  @Test
  void collectionsWithoutOrderAreSorted() {
    assertThat(text(Map.of("b", 1, "a", List.of(2, 1)))).isEqualTo("[[\"a\",[2,1]],[\"b\",1]]");
    assertThat(text(new HashSet<>(Arrays.asList("b", null, "a")))).isEqualTo("[\"a\",\"b\",null]");
    assertThat(text(new int[] {2, 1})).isEqualTo("[2,1]");
  }

  @Test
  void structuresBecomeObjects() {
    assertThat(text(Tuple2.of(1, null))).isEqualTo("{\"f0\":1,\"f1\":null}");
    assertThat(text(Row.of("x"))).isEqualTo("{\"f0\":\"x\"}");
    assertThat(text(new TimeWindow(0, 5))).isEqualTo("{\"start\":0,\"end\":5}");
    assertThat(text(Either.Right(1))).isEqualTo("{\"right\":1}");
    assertThat(text(new Order()))
        .isEqualTo("{\"#class\":\"" + Order.class.getName() + "\",\"amount\":7,\"id\":\"o\"}");
  }

  @Test
  void refusesAnUnknownClassOfTheJdk() {
    assertThatThrownBy(() -> ValueRenderer.render(List.of(Locale.ROOT)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("No rendering for values of class java.util.Locale");
  }

  private static String text(Object value) {
    return ValueRenderer.render(value).toString();
  }

  public static class Entity {
    public String id = "o";
  }

  public static final class Order extends Entity {
    public static final int NOT_STATE = 1;
    public int amount = 7;
    public transient int cached = 1;
  }
}
