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
package io.statesql.format.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.StateSqlException;
import io.statesql.format.rocksdb.RocksDbFolderHolder;
import io.statesql.format.rocksdb.RocksDbTestProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkFolderTest {
  @TempDir private Path base;
  @TempDir private Path outputs;

  @AfterEach
  void useTheDefaultPlaceAgain() {
    System.clearProperty(WorkFolder.BASE_PROPERTY);
  }

  @Test
  void isTheOwnersAloneAndGoesWhenClosed() throws Exception {
    System.setProperty(WorkFolder.BASE_PROPERTY, base.toString());
    try (WorkFolder folder = WorkFolder.create()) {
      assertThat(content(base)).hasSize(1);
      assertThat(folder.files()).startsWith(base).isEmptyDirectory();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(content(base).get(0))))
          .isEqualTo("rwx------");
      Files.writeString(folder.files().resolve("CURRENT"), "x");
    }
    assertThat(content(base)).isEmpty();
  }

  @Test
  void aPlaceThatDoesNotExistIsNamedWithTheProperty() {
    Path missing = base.resolve("missing");
    System.setProperty(WorkFolder.BASE_PROPERTY, missing.toString());

    assertThatThrownBy(WorkFolder::create)
        .isInstanceOf(StateSqlException.class)
        .hasMessageContaining(missing.toString())
        .hasMessageContaining("-Dstatesql.work-dir=");
  }

  @Test
  void goesWhenTheJvmExits() throws Exception {
    List<String> output = hold(RocksDbFolderHolder.EXIT);

    assertThat(output).singleElement().asString().startsWith(base.toString());
    assertThat(content(base)).isEmpty();
  }

  @Test
  void whatAKilledProcessLeftGoesWithTheNextProcess() throws Exception {
    List<String> left = hold(RocksDbFolderHolder.KILLED);
    assertThat(content(base)).containsExactly(Path.of(left.get(0)));

    hold(RocksDbFolderHolder.EXIT);

    assertThat(content(base)).isEmpty();
  }

  @Test
  void theFolderOfALivingProcessAndOfOthersStay() throws Exception {
    Path others = Files.createDirectory(base.resolve(WorkFolder.PREFIX + "1-1-others"));
    Files.createFile(others.resolve(WorkFolder.LOCK));
    Process process =
        new ProcessBuilder(
                RocksDbTestProcess.command(
                    base, RocksDbFolderHolder.class, RocksDbFolderHolder.WAIT))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader output = process.inputReader()) {
      Path held = Path.of(output.readLine());

      hold(RocksDbFolderHolder.EXIT);

      assertThat(content(base)).containsExactlyInAnyOrder(others, held);
      assertThat(held.resolve("files/000001.sst")).isRegularFile();
    } finally {
      process.getOutputStream().close();
      assertThat(process.waitFor()).isZero();
    }
    assertThat(content(base)).containsExactly(others);
  }

  private List<String> hold(String end) throws Exception {
    RocksDbTestProcess.Result result =
        RocksDbTestProcess.run(base, outputs.resolve(end), RocksDbFolderHolder.class, end);
    assertThat(result.status()).as("%s", result.output()).isZero();
    return result.output();
  }

  private static List<Path> content(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }
}
