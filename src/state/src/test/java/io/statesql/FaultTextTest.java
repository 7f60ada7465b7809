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
package io.statesql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class FaultTextTest {
  @Test
  void namesNoExceptions() {
    assertThat(FaultText.of(new IOException(new IllegalStateException("the disk is on fire."))))
        .isEqualTo("the disk is on fire");
    assertThat(FaultText.of(new IOException("first line\nsecond line"))).isEqualTo("first line");
    assertThat(FaultText.of(new EOFException())).isEqualTo("no reason is known");
  }

  @Test
  void saysWhatIsWrongWithAFile() {
    assertThat(FaultText.of(new NoSuchFileException("/a"))).isEqualTo("/a does not exist");
    assertThat(FaultText.of(new FileSystemException("/a", null, "No space left on device")))
        .isEqualTo("/a: No space left on device");
  }
}
