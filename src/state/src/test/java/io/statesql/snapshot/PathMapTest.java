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
package io.statesql.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.util.List;
import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathMapTest {
  @ParameterizedTest
  @CsvSource({
    "/old=/new,               /old/a/b,             file:/new/a/b",
    "/old=/new,               file:/old/a,          file:/new/a",
    "/old=/new,               file:///old/a,        file:/new/a",
    "/old/=/new/,             /old/a,               file:/new/a",
    "/old=/new,               /old,                 file:/new",
    "file:/old=/new,          /old/a,               file:/new/a",
    "file:///old=/new,        file:/old/a,          file:/new/a",
    "/=/new,                  /old/a,               file:/new/old/a",
    "/old=/,                  /old/a,               file:/a",
    "s3://bucket/x=/local/y,  s3://bucket/x/a/b,    file:/local/y/a/b",
    "s3://bucket=/local,      s3://bucket/x/a,      file:/local/x/a",
    "s3://bucket/=/local,     s3://bucket/x/a,      file:/local/x/a",
    "s3://b/x=s3://c,         s3://b/x/a,           s3://c/a",
    "hdfs://nn:8020/x=/y,     hdfs://nn:8020/x/a,   file:/y/a",
    "/old=hdfs://nn:8020/x,   /old/a,               hdfs://nn:8020/x/a",
    "s3://b/day=1=/local,     s3://b/day=1/a,       file:/local/a",
    "/old=/new/day=1,         /old/a,               file:/new/day=1/a",
  })
  void aRuleReplacesTheBeginningOfAPath(String rule, String stored, String now) {
    assertThat(PathMap.parse(List.of(rule)).apply(new Path(stored))).contains(new Path(now));
  }

  @ParameterizedTest
  @CsvSource({
    "/old=/new,             /older/a",
    "/old=/new,             /a/old/b",
    "/old=/new,             /ol",
    "/old=/new,             /old/../secret",
    "/old=/new,             s3://bucket/old/a",
    "s3://bucket/x=/y,      s3://bucket/xx/a",
    "s3://bucket/x=/y,      s3://bucket2/x/a",
    "s3://bucket/x=/y,      s3a://bucket/x/a",
    "s3://bucket/x=/y,      /x/a",
    "hdfs://nn:8020/x=/y,   hdfs://nn/x/a",
  })
  void otherPathsStay(String rule, String stored) {
    assertThat(PathMap.parse(List.of(rule)).apply(new Path(stored))).isEmpty();
  }

  @Test
  void theLongestRuleWinsWhateverTheOrder() {
    PathMap map = PathMap.parse(List.of("/=/c", "/old=/a", "/old/job=/b"));

    assertThat(map.apply(new Path("/old/job/x"))).contains(new Path("file:/b/x"));
    assertThat(map.apply(new Path("/old/jobs/x"))).contains(new Path("file:/a/jobs/x"));
    assertThat(map.apply(new Path("/x"))).contains(new Path("file:/c/x"));
  }

  @Test
  void aRelativeNewPlaceIsBelowTheWorkingFolder() {
    PathMap map = PathMap.parse(List.of("/old=target/new"));

    assertThat(map.apply(new Path("/old/x")))
        .contains(
            new Path("file:" + java.nio.file.Path.of("target/new/x").toAbsolutePath().normalize()));
  }

  @ParameterizedTest
  @CsvSource({
    "/old,          '''/old'', which is not FROM=TO.'",
    "=/new,         '''=/new'', which is not FROM=TO.'",
    "/old=,         '''/old='', which is not FROM=TO.'",
    "old=/new,      must be an absolute path or a URI",
    "file:=/new,    no path stands before the equals sign",
  })
  void whatIsNoRuleIsRefused(String text, String reason) {
    assertThatExceptionOfType(StateSqlException.class)
        .isThrownBy(() -> PathMap.parse(List.of(text)))
        .withMessageContaining(reason)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }

  @Test
  void twoRulesForOnePathAreRefused() {
    assertThatExceptionOfType(StateSqlException.class)
        .isThrownBy(() -> PathMap.parse(List.of("/old=/a", "file:/old/=/b")))
        .withMessage("The path map has two rules for /old; keep one.");
  }
}
