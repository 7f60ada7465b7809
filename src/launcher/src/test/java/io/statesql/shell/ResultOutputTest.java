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

import io.statesql.shell.ResultOutput.WriteFailedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ResultOutputTest {
  private static final byte[] LINE = "0123456789\n".getBytes(StandardCharsets.UTF_8);

  @Test
  void keepsOrderAndLosesNothing() {
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    ResultOutput output = new ResultOutput(target);
    for (int i = 0; i < 20_000; i++) {
      output.write(i);
      expected.write(i);
      output.write(LINE, 0, LINE.length);
      expected.writeBytes(LINE);
    }
    output.drain();

    assertThat(target.toByteArray()).isEqualTo(expected.toByteArray());
  }

  @Test
  void theFirstLineIsSeenAtOnce() {
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    ResultOutput output = new ResultOutput(target);
    output.write(LINE, 0, LINE.length);
    output.flush();

    assertThat(target.toByteArray()).isEqualTo(LINE);
  }

  @Test
  void aReaderThatWentAwayIsToldFromAFullDisk() {
    assertThatThrownBy(() -> failing("Broken pipe").drain())
        .isInstanceOfSatisfying(
            WriteFailedException.class, e -> assertThat(e.isBrokenPipe()).isTrue());
    assertThatThrownBy(() -> failing("No space left on device").drain())
        .hasMessage("Cannot write the result: No space left on device")
        .isInstanceOfSatisfying(
            WriteFailedException.class, e -> assertThat(e.isBrokenPipe()).isFalse());
  }

  private static ResultOutput failing(String reason) {
    ResultOutput output =
        new ResultOutput(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException(reason);
              }
            });
    output.write(LINE, 0, LINE.length);
    return output;
  }
}
