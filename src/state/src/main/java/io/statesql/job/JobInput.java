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
package io.statesql.job;

import io.statesql.type.StateInput;
import java.io.InputStream;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;

/**
 * What is left in a {@link StateInput}, as Flink's serializers want it. Moves that input as far as
 * it is read, and knows whether more was asked for than there is.
 */
final class JobInput extends DataInputViewStreamWrapper {
  private final Rest rest;

  JobInput(StateInput in) {
    this(new Rest(in));
  }

  private JobInput(Rest rest) {
    super(rest);
    this.rest = rest;
  }

  /** Whether somebody wanted to read beyond the end. */
  boolean isExhausted() {
    return rest.exhausted;
  }

  private static final class Rest extends InputStream {
    private final StateInput in;
    private boolean exhausted;

    Rest(StateInput in) {
      this.in = in;
    }

    @Override
    public int read() {
      if (in.remaining() == 0) {
        exhausted = true;
        return -1;
      }
      return in.readUnsignedByte();
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      if (length == 0) {
        return 0;
      }
      int count = Math.min(length, in.remaining());
      if (count == 0) {
        exhausted = true;
        return -1;
      }
      System.arraycopy(in.array(), in.position(), target, offset, count);
      in.skip(count);
      return count;
    }

    @Override
    public long skip(long count) {
      int skipped = (int) Math.max(0, Math.min(count, in.remaining()));
      exhausted |= skipped < count;
      in.skip(skipped);
      return skipped;
    }

    @Override
    public int available() {
      return in.remaining();
    }
  }
}
