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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.apache.calcite.avatica.util.DateTimeUtils;
import org.junit.jupiter.api.Test;

class DateTimeTextTest {
  private static final int MILLIS_PER_DAY = 86_400_000;
  private static final int FIRST_DAY = (int) LocalDate.of(1, 1, 1).toEpochDay();
  private static final int LAST_DAY = (int) LocalDate.of(9999, 12, 31).toEpochDay();
  private static final int SAMPLES = 20_000;
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

  private final Random random = new Random(8);

  @Test
  void printsYearsOfFourDigitsAsSqlDoes() {
    assertThat(DateTimeText.date(0)).isEqualTo("1970-01-01");
    assertThat(DateTimeText.date(-1)).isEqualTo("1969-12-31");
    assertThat(DateTimeText.timestamp(0)).isEqualTo("1970-01-01 00:00:00.000");
    assertThat(DateTimeText.timestamp(-1)).isEqualTo("1969-12-31 23:59:59.999");
    for (int i = 0; i < SAMPLES; i++) {
      int day = random.nextInt(FIRST_DAY, LAST_DAY + 1);
      assertThat(DateTimeText.date(day))
          .isEqualTo(DateTimeUtils.unixDateToString(day))
          .isEqualTo(LocalDate.ofEpochDay(day).toString());
      long millis = random.nextLong(DateTimeRange.MIN_TIMESTAMP, DateTimeRange.MAX_TIMESTAMP + 1);
      assertThat(DateTimeText.timestamp(millis))
          .isEqualTo(DateTimeUtils.unixTimestampToString(millis, 3));
    }
  }

  @Test
  void printsLateYearsWithAllDigitsAndEarlyOnesWithTheirSign() {
    assertThat(date(LocalDate.of(9999, 12, 31))).isEqualTo("9999-12-31");
    assertThat(date(LocalDate.of(10_000, 1, 1))).isEqualTo("10000-01-01");
    assertThat(date(LocalDate.of(1, 1, 1))).isEqualTo("0001-01-01");
    assertThat(date(LocalDate.of(0, 12, 31))).isEqualTo("0000-12-31");
    assertThat(date(LocalDate.of(-1, 12, 31))).isEqualTo("-0001-12-31");
    assertThat(date(LocalDate.of(-44, 3, 15))).isEqualTo("-0044-03-15");
    assertThat(date(LocalDate.of(-12_345, 3, 15))).isEqualTo("-12345-03-15");
    assertThat(DateTimeText.date(Integer.MAX_VALUE)).isEqualTo("5881580-07-11");
    assertThat(DateTimeText.date(Integer.MIN_VALUE)).isEqualTo("-5877641-06-23");
    assertThat(DateTimeText.timestamp(Long.MAX_VALUE)).isEqualTo("292278994-08-17 07:12:55.807");
    assertThat(DateTimeText.timestamp(Long.MIN_VALUE)).isEqualTo("-292275055-05-16 16:47:04.192");
  }

  private static String date(LocalDate date) {
    return DateTimeText.date((int) date.toEpochDay());
  }

  @Test
  void printsEveryDateAndTimestampAsJavaTimeDoesButForThePlusSign() {
    for (int i = 0; i < SAMPLES; i++) {
      int day = random.nextInt();
      assertThat(DateTimeText.date(day)).isEqualTo(withoutPlus(LocalDate.ofEpochDay(day)));
      long millis = random.nextLong();
      var moment = Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC);
      assertThat(DateTimeText.timestamp(millis))
          .isEqualTo(withoutPlus(moment.toLocalDate()) + " " + CLOCK.format(moment));
    }
  }

  private static String withoutPlus(LocalDate date) {
    String text = date.toString();
    return text.startsWith("+") ? text.substring(1) : text;
  }

  @Test
  void printsTimesOfDayAndRefusesOthers() {
    assertThat(DateTimeText.time(0)).isEqualTo("00:00:00.000");
    assertThat(DateTimeText.time(MILLIS_PER_DAY - 1)).isEqualTo("23:59:59.999");
    for (int i = 0; i < SAMPLES; i++) {
      int millis = random.nextInt(MILLIS_PER_DAY);
      assertThat(DateTimeText.time(millis))
          .isEqualTo(CLOCK.format(LocalTime.ofNanoOfDay(millis * 1_000_000L)));
    }
    assertThatThrownBy(() -> DateTimeText.time(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> DateTimeText.time(MILLIS_PER_DAY))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
