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
package io.statesql.type.kryo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.StateInput;
import io.statesql.type.TruncatedValueException;
import io.statesql.type.serializer.KryoVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that the KryoSerializer of Flink 1.20 wrote. */
class Kryo2ValuesTest {

  static List<String[]> values() throws IOException {
    return Files.readAllLines(Path.of("..", "kryo-2", "values.tsv"), UTF_8).stream()
        .map(line -> line.split("\t"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("values")
  void showAsTheirText(String declared, String hex, String text) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    Codec codec = codec(declared);

    StateInput in = new StateInput(Arrays.copyOf(bytes, bytes.length + 5));
    Object value = codec.read(in);
    assertThat(in.remaining()).as("bytes behind the value").isEqualTo(5);
    assertThat(value instanceof Binary binary ? binary.toString() : String.valueOf(value))
        .isEqualTo(text);

    in.reset(bytes, 0, bytes.length, 0);
    codec.skip(in);
    in.requireEnd();
  }

  @ParameterizedTest
  @MethodSource("values")
  void cutShortAreTruncated(String declared, String hex, String text) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    Codec codec = codec(declared);
    for (int length = 0; length < bytes.length; length++) {
      StateInput in = new StateInput(Arrays.copyOf(bytes, length));
      assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> codec.read(in)))
          .as("%s of %s", length, text)
          .isInstanceOf(TruncatedValueException.class);
    }
  }

  /** What the snapshot holds, see {@code KryoSerializer.buildKryoRegistrations}. */
  private static Codec codec(String declared) {
    return KryoCodecs.of(
            declared, List.of(KryoTestData.unspecified(declared)), Set.of(), KryoVersion.KRYO_2)
        .codec();
  }
}
