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
package io.statesql.format.keygroup;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Ints;
import io.statesql.format.bytes.BlockInput;
import io.statesql.type.MalformedValueException;
import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.Test;

class BaseFileTest {
  private static final int LAST = 5;

  @Test
  void theFileMayEndOrTheNextKeyGroupMayFollow() {
    assertThatCode(() -> BaseFile.requireHeapEnd(LAST, input())).doesNotThrowAnyException();
    assertThatCode(() -> BaseFile.requireHeapEnd(LAST, input(Ints.toByteArray(LAST + 1))))
        .doesNotThrowAnyException();
  }

  @Test
  void nothingElseMayFollow() {
    assertThatThrownBy(() -> BaseFile.requireHeapEnd(LAST, input(Ints.toByteArray(LAST + 2))))
        .isInstanceOf(MalformedValueException.class)
        .hasMessage("bytes follow that belong to no entry of the key group");
    assertThatThrownBy(() -> BaseFile.requireHeapEnd(LAST, input((byte) 0)))
        .isInstanceOf(MalformedValueException.class);
  }

  private static BlockInput input(byte... bytes) {
    BlockInput in = new BlockInput(bytes.length);
    in.reset(new ByteArrayInputStream(bytes), 0);
    return in;
  }
}
