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
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.streaming.api.graph.StreamGraphHasherV2;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators by uid, by the hash of a uid, and by id. */
class OperatorLookupTest {

  @ParameterizedTest
  @ValueSource(strings = {"my-uid", "My-Uid", "", " ", "\u00fc\u4e2d\ud83d\ude00", "a.b \"c\""})
  void theIdOfAUidIsWhatFlinkMakesOfIt(String uid) {
    OperatorID flink = new OperatorID(StreamGraphHasherV2.generateUserSpecifiedHash(uid));

    assertThat(OperatorId.ofUid(uid).hex()).isEqualTo(flink.toHexString());
    assertThat(OperatorId.ofUid(uid))
        .isEqualTo(new OperatorId(flink.getLowerPart(), flink.getUpperPart()));
  }

  @Test
  void anIdIsReadFromHexOfAnyCaseAlone() {
    OperatorId id = OperatorId.ofUid("my-uid");

    assertThat(OperatorId.ofHex(id.hex())).contains(id);
    assertThat(OperatorId.ofHex(id.hex().toUpperCase(Locale.ROOT))).contains(id);
    assertThat(OperatorId.ofHex(id.hex().substring(1))).isEmpty();
    assertThat(OperatorId.ofHex(id.hex().substring(1) + "x")).isEmpty();
    assertThat(OperatorId.ofHex(id.hex() + "00")).isEmpty();
  }

  @Test
  void operatorsAreFoundByUidByHashAndById() {
    OperatorState named = operator(OperatorId.ofUid("my-uid"), "my-uid", null);
    OperatorState hashed = operator(OperatorId.ofUid("hidden"), null, null);
    SnapshotMetadata metadata = metadata(List.of(named, hashed));

    assertThat(metadata.operator("my-uid")).isSameAs(named);
    assertThat(metadata.operator("hidden")).isSameAs(hashed);
    assertThat(metadata.operator(hashed.id().hex())).isSameAs(hashed);
    assertThat(metadata.operator(named.id().hex().toUpperCase(Locale.ROOT))).isSameAs(named);
    assertThat(metadata.findOperator("MY-UID")).isEmpty();
  }

  @Test
  void aUidThatLooksLikeAnIdWinsOverTheId() {
    OperatorState other = operator(OperatorId.ofUid("other"), "other", null);
    String confusing = other.id().hex();
    OperatorState named = operator(OperatorId.ofUid(confusing), confusing, null);

    assertThat(metadata(List.of(other, named)).operator(confusing)).isSameAs(named);
    OperatorState hashed = operator(OperatorId.ofUid(confusing), null, null);
    assertThat(metadata(List.of(other, hashed)).operator(confusing)).isSameAs(hashed);
  }

  @Test
  void anUnknownOperatorNamesAllOfAFew() {
    OperatorState named = operator(OperatorId.ofUid("my-uid"), "my-uid", "Count words");
    OperatorState hashed = operator(new OperatorId(1, 2), null, null);

    assertThatExceptionOfType(StateSqlException.class)
        .isThrownBy(() -> metadata(List.of(hashed, named)).operator("MY-UID"))
        .withMessage(
            "There is no operator with the uid or id \"MY-UID\" in /a/_metadata; it holds"
                + " \"my-uid\" (Count words), \"00000000000000010000000000000002\".")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_SCHEMA));
    assertThatExceptionOfType(StateSqlException.class)
        .isThrownBy(() -> metadata(List.of()).operator("x"))
        .withMessage(
            "There is no operator with the uid or id \"x\" in /a/_metadata; it holds no"
                + " operators.");
  }

  @Test
  void anUnknownOperatorNamesTheNearestOfMany() {
    List<OperatorState> operators =
        IntStream.range(100, 150)
            .mapToObj(i -> "operator-" + i)
            .map(uid -> operator(OperatorId.ofUid(uid), uid, null))
            .toList();

    assertThatExceptionOfType(StateSqlException.class)
        .isThrownBy(() -> metadata(operators).operator("operator-1122"))
        .withMessage(
            "There is no operator with the uid or id \"operator-1122\" in /a/_metadata; the"
                + " nearest of its 50 operators are \"operator-112\", \"operator-122\","
                + " \"operator-102\", \"operator-110\", \"operator-111\".");
  }

  @Test
  void realSnapshotsThatHoldOnlyHashesAreAskedByUid() {
    Set<Integer> versions =
        realSnapshots()
            .filter(
                metadata -> metadata.findOperator("CheckpointingKeyedStateFlatMap1").isPresent())
            .map(SnapshotMetadata::version)
            .collect(Collectors.toSet());

    assertThat(versions).containsExactlyInAnyOrder(2, 3, 4, 5, 6);
  }

  @Test
  void everyUidInARealSnapshotHashesToTheIdBesideIt() {
    List<OperatorState> named =
        realSnapshots()
            .flatMap(metadata -> metadata.operators().stream())
            .filter(operator -> operator.uid() != null)
            .toList();

    assertThat(named)
        .hasSizeGreaterThan(100)
        .allSatisfy(o -> assertThat(o.id()).isEqualTo(OperatorId.ofUid(o.uid())));
  }

  private static Stream<SnapshotMetadata> realSnapshots() {
    return FlinkTestSnapshots.metadataFiles().stream()
        .map(file -> Snapshot.open(file.toString()).metadata());
  }

  private static OperatorState operator(OperatorId id, String uid, String name) {
    return new OperatorState(id, name, uid, 1, 128, null, false, List.of());
  }

  private static SnapshotMetadata metadata(List<OperatorState> operators) {
    return new SnapshotMetadata(
        "/a/_metadata", 6, 1, List.of(), operators, SnapshotProperties.NONE);
  }
}
