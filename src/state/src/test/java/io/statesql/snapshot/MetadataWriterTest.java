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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What our reader reads, our writer writes as Flink wrote it. */
class MetadataWriterTest {
  static List<Path> metadataFiles() {
    return FlinkTestSnapshots.metadataFiles();
  }

  @ParameterizedTest
  @MethodSource("metadataFiles")
  void writesTheBytesThatWereRead(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    assertThat(MetadataWriter.write(MetadataReader.read(bytes, file.toString()))).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 6})
  void writesHandlesOfEveryKind(int version) throws IOException {
    byte[] bytes = MadeMetadata.allHandles(version);
    assertThat(MetadataWriter.write(MetadataReader.read(bytes, "made"))).isEqualTo(bytes);
  }
}
