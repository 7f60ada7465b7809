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
package io.statesql.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountTest {
  @TempDir private Path folder;

  @Test
  void readsAName() {
    assertThat(Mount.parse("orders-1=" + folder))
        .isEqualTo(new Mount(Optional.of("orders-1"), folder));
  }

  @Test
  void anExistingPathWinsOverANamedOne() throws IOException {
    Files.createDirectories(folder.resolve("x"));
    Path odd = Files.createDirectories(folder.resolve("a=x"));

    assertThat(Mount.parse(odd.toString())).isEqualTo(new Mount(Optional.empty(), odd));
  }

  /** As Flink prints the place of a savepoint, which escapes nothing. */
  @Test
  void readsTheUriOfALocalFile() throws IOException {
    Path odd = Files.createDirectories(folder.resolve("a b%20c#d"));

    assertThat(Mount.parse("file:" + odd)).isEqualTo(new Mount(Optional.empty(), odd));
    assertThat(Mount.parse("file://" + odd)).isEqualTo(new Mount(Optional.empty(), odd));
    assertThat(Mount.parse("job=file:" + odd)).isEqualTo(new Mount(Optional.of("job"), odd));
    assertThatThrownBy(() -> Mount.parse("file:" + folder + "/no"))
        .isInstanceOf(UsageException.class)
        .hasMessage("No such file or folder: file:" + folder + "/no");
    assertThatThrownBy(() -> Mount.parse("s3://bucket/no"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("local paths only");
  }

  @Test
  void refusesWhatDoesNotExist() {
    assertThatThrownBy(() -> Mount.parse("a=" + folder + "/no"))
        .isInstanceOf(UsageException.class)
        .hasMessage("No such file or folder: " + folder + "/no");
    assertThatThrownBy(() -> Mount.parse("1a=" + folder))
        .isInstanceOf(UsageException.class)
        .hasMessage("No such file or folder: 1a=" + folder);
    assertThatThrownBy(() -> Mount.parse("")).isInstanceOf(UsageException.class);
  }
}
