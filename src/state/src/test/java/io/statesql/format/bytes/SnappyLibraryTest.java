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
package io.statesql.format.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.format.rocksdb.RocksDbTestProcess;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnappyLibraryTest {
  @TempDir private Path temporary;
  @TempDir private Path workDir;

  /** Reads compressed bytes, tells so, and waits to be killed. */
  public static void main(String[] unused) throws IOException {
    byte[] bytes = new byte[1000];
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (OutputStream out = SnappyOutput.stream(compressed)) {
      out.write(bytes);
    }
    byte[] read =
        new SnappyFrames(new ByteArrayInputStream(compressed.toByteArray()), 0).readAllBytes();
    System.out.println(read.length);
    System.in.transferTo(System.out);
  }

  private Process start() throws IOException {
    List<String> command =
        new ArrayList<>(RocksDbTestProcess.command(workDir, SnappyLibraryTest.class));
    command.add(1, "-Djava.io.tmpdir=" + temporary);
    command.add(1, "-XX:-UsePerfData");
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  @Test
  void killedProcessesThatReadCompressedStateLeaveNoLibraryBehind() throws Exception {
    Process one = start();
    Process other = start();
    try {
      assertThat(one.inputReader().readLine()).isEqualTo("1000");
      assertThat(other.inputReader().readLine()).isEqualTo("1000");
    } finally {
      for (Process process : List.of(one, other)) {
        process.destroyForcibly();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
      }
    }
    for (Path folder : List.of(temporary, workDir)) {
      try (Stream<Path> left = Files.list(folder)) {
        assertThat(left).isEmpty();
      }
    }
  }

  @Test
  void temporaryFolderThatCannotBeWrittenToIsNoMatter() throws Exception {
    Files.delete(temporary);
    Process process = start();
    try {
      assertThat(process.inputReader().readLine()).isEqualTo("1000");
    } finally {
      process.destroyForcibly();
    }
    Files.createDirectory(temporary);
  }
}
