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

import io.statesql.type.UnwritableValueException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects of their texts; and texts that do not tell all of an object. */
class ObjectParserTest {
  enum Color {
    RED
  }

  record Point(int x, Long y) {}

  static class Shape {
    final Color color;

    Shape(Color color) {
      this.color = color;
    }
  }

  static final class Circle extends Shape {
    final double radius;
    final char mark;
    final boolean filled;
    final Point center;
    final String[] names;
    final byte[] bytes;

    Circle() {
      super(Color.RED);
      radius = 0.1;
      mark = 'ß';
      filled = true;
      center = new Point(1, null);
      names = new String[] {"a", "b"};
      bytes = new byte[] {1, 2};
    }
  }

  record Leaves(UUID id, Instant time, BigDecimal amount, float ratio, short code) {}

  record Texts(String one, String other) {}

  record Points(Point one, Point other) {}

  static final class Many {
    final List<String> list = List.of();
  }

  static final class Loose {
    final Object any = 1;
  }

  static final class Caching {
    final String text = "a";
    transient int hash;
  }

  static final class Shapes {
    final Shape[] shapes = {};
  }

  @Test
  void anObjectHasAllThatItsTextTells() throws Exception {
    String text = ObjectText.of(new Circle(), Shape.class);

    Object made = ObjectParser.parse(text, Shape.class, getClass().getClassLoader());

    assertThat(made).isInstanceOf(Circle.class);
    assertThat(ObjectText.of(made, Shape.class)).isEqualTo(text);
  }

  @Test
  void objectsOfTheJdkAreWhole() throws Exception {
    Leaves leaves =
        new Leaves(
            new UUID(1, 2), Instant.ofEpochSecond(1, 5), new BigDecimal("1.50"), 0.1f, (short) -3);

    assertThat(parse(ObjectText.of(leaves, Leaves.class), Leaves.class)).isEqualTo(leaves);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Texts   | {'one':'a','other':'a'}        | one object",
        "Points  | {'one':{'x':1,'y':2},'other':{'x':1,'y':2}} | one object",
        "Many    | {'list':[]}                    | does not tell of which class its collection is",
        "Loose   | {'any':1}                      | does not tell of which class its value is",
        "Caching | {'text':'a'}                   | does not show all of a",
        "Shapes  | {'shapes':[]}                  | does not tell of which class its array is",
        "Point   | {'x':1}                        | has other members than the fields",
        "Point   | {'x':1,'y':2,'z':3}            | has other members than the fields",
        "Point   | {'x':null,'y':2}               | cannot be null",
        "Point   | {'x':3000000000,'y':2}         | is no int",
        "Point   | {'x':-0,'y':2}                 | a negative zero",
        "Point   | {'@class':'java.lang.Thread'}  | which java.lang.Thread is not",
        "Shape   | {'color':'BLUE'}               | is no ",
      })
  void aTextThatDoesNotTellAllIsRefused(String type, String text, String reason) throws Exception {
    Class<?> declared = Class.forName(getClass().getName() + "$" + type);

    assertThatThrownBy(() -> parse(text.replace('\'', '"'), declared))
        .isInstanceOf(UnwritableValueException.class)
        .hasMessageContaining(reason);
  }

  private Object parse(String text, Class<?> declared) throws Exception {
    return ObjectParser.parse(text, declared, getClass().getClassLoader());
  }
}
