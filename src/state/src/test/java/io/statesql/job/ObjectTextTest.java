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
package io.statesql.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What objects look like as JSON text. */
class ObjectTextTest {

  static List<Arguments> objects() {
    Map<Object, Object> byObject = new LinkedHashMap<>();
    byObject.put(List.of(1), "x");
    Map<Object, Object> withNull = new LinkedHashMap<>();
    withNull.put(null, 1);
    return List.of(
        Arguments.of("a\"b\n", "\"a\\\"b\\n\""),
        Arguments.of('c', "\"c\""),
        Arguments.of(true, "true"),
        Arguments.of(Long.MAX_VALUE, "9223372036854775807"),
        Arguments.of(new BigDecimal("1.500"), "1.500"),
        Arguments.of(BigInteger.TEN.pow(30), "1" + "0".repeat(30)),
        Arguments.of(0.1f, "0.1"),
        Arguments.of(Double.NaN, "\"NaN\""),
        Arguments.of(Double.NEGATIVE_INFINITY, "\"-Infinity\""),
        Arguments.of(new AtomicLong(5), "5"),
        Arguments.of(TimeUnit.DAYS, "\"DAYS\""),
        Arguments.of(Instant.EPOCH, "\"1970-01-01T00:00:00Z\""),
        Arguments.of(Duration.ofMinutes(90), "\"PT1H30M\""),
        Arguments.of(new UUID(1, 2), "\"00000000-0000-0001-0000-000000000002\""),
        Arguments.of(URI.create("http://x/"), "\"http://x/\""),
        Arguments.of(TimeZone.getTimeZone("Europe/Zurich"), "\"Europe/Zurich\""),
        Arguments.of(Pattern.compile("a", Pattern.CASE_INSENSITIVE), "\"(?flags=2)a\""),
        Arguments.of(InetSocketAddress.createUnresolved("h", 1), "\"h:1\""),
        Arguments.of(String.class, "\"java.lang.String\""),
        Arguments.of(new byte[] {1, 2, 3}, "\"AQID\""),
        Arguments.of(ByteBuffer.wrap(new byte[] {1, 2, 3}, 1, 2), "\"AgM=\""),
        Arguments.of(new int[] {1, 2}, "[1,2]"),
        Arguments.of(new Object[] {"a", null}, "[\"a\",null]"),
        Arguments.of(BitSet.valueOf(new byte[] {5}), "[0,2]"),
        Arguments.of(Optional.of("a"), "\"a\""),
        Arguments.of(Optional.empty(), "null"),
        Arguments.of(OptionalInt.of(3), "3"),
        Arguments.of(Map.of(1, "a"), "{\"1\":\"a\"}"),
        Arguments.of(byObject, "[{\"key\":[1],\"value\":\"x\"}]"),
        Arguments.of(withNull, "[{\"key\":null,\"value\":1}]"),
        Arguments.of(
            new Point(1, 2), "{\"@class\":\"" + Point.class.getName() + "\",\"x\":1,\"y\":2}"),
        Arguments.of(
            new Tags("owner", List.of("a", "b")),
            "{\"@class\":\""
                + Tags.class.getName()
                + "\",\"owner\":\"owner\",\"@elements\":[\"a\",\"b\"]}"));
  }

  private record Point(int x, int y) {}

  /** A collection with a field of its own. */
  private static final class Tags extends ArrayList<String> {
    private static final long serialVersionUID = 1L;
    private final String owner;

    Tags(String owner, List<String> elements) {
      super(elements);
      this.owner = owner;
    }

    @Override
    public String toString() {
      return owner;
    }
  }

  private static class Named {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** A class with a field of the same name as its superclass. */
  private static final class Renamed extends Named {
    private final String name;
    private final List<Point> points = List.of(new Point(0, 0));
    private final List<?> others = List.of(new Point(0, 0));

    Renamed(String name, String before) {
      super(before);
      this.name = name;
    }

    @Override
    public String toString() {
      return name + points + others;
    }
  }

  @ParameterizedTest
  @MethodSource("objects")
  void isJson(Object value, String json) {
    assertThat(ObjectText.of(value, null)).isEqualTo(json);
  }

  @Test
  void nullIsNull() {
    assertThat(ObjectText.of(null, null)).isNull();
  }

  /** Their elements name their class only where the declaration does not. */
  @Test
  void fieldsOfSuperclassesComeFirst() {
    assertThat(ObjectText.of(new Renamed("new", "old"), Renamed.class))
        .isEqualTo(
            "{\"name\":\"old\",\"Renamed.name\":\"new\",\"points\":[{\"x\":0,\"y\":0}],"
                + "\"others\":[{\"@class\":\""
                + Point.class.getName()
                + "\",\"x\":0,\"y\":0}]}");
  }

  @Test
  void whatContainsItselfIsAnError() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    assertThatThrownBy(() -> ObjectText.of(list, null))
        .isInstanceOfSatisfying(
            StateSqlException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNDECODABLE_STATE))
        .hasMessageContaining("contains itself or is nested deeper");
  }

  @Test
  void tooMuchTextIsAnError() {
    List<String> many = Collections.nCopies(1 << 30, "");
    assertThatThrownBy(() -> ObjectText.of(Arrays.asList(many), null))
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("longer than");
  }

  @Test
  void anObjectOfTheJdkWithoutATextIsAnErrorThatNamesItsClass() {
    assertThatThrownBy(() -> ObjectText.of(List.of(new IllegalStateException()), null))
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining("it holds an object of the class java.lang.IllegalStateException");
  }
}
