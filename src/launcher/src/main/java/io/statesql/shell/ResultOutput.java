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

import io.statesql.FaultText;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Standard output for results. {@link #flush()}, which a print stream calls after each line, passes
 * on at most ten times a second, so that a large result is not one system call per row; {@link
 * #drain()} always does. A write that fails is thrown unchecked, because a print stream would
 * swallow it and the rest of the result would be computed for nobody.
 *
 * <p>Not safe for use by several threads.
 */
public final class ResultOutput extends OutputStream {
  private static final long FLUSH_INTERVAL_NANOS = 100_000_000L;

  private final OutputStream target;
  private final byte[] buffer = new byte[1 << 16];
  private int buffered;
  private long lastDrain = System.nanoTime() - FLUSH_INTERVAL_NANOS;

  public ResultOutput(OutputStream target) {
    this.target = target;
  }

  @Override
  public void write(int b) {
    if (buffered == buffer.length) {
      drain();
    }
    buffer[buffered++] = (byte) b;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    int end = offset + length;
    for (int from = offset; from < end; ) {
      if (buffered == buffer.length) {
        drain();
      }
      int count = Math.min(end - from, buffer.length - buffered);
      System.arraycopy(bytes, from, buffer, buffered, count);
      buffered += count;
      from += count;
    }
  }

  @Override
  public void flush() {
    if (System.nanoTime() - lastDrain >= FLUSH_INTERVAL_NANOS) {
      drain();
    }
  }

  @Override
  public void close() {
    drain();
  }

  /**
   * Writes what is buffered.
   *
   * @throws WriteFailedException if nobody takes it; what was buffered is then forgotten
   */
  public void drain() {
    int count = buffered;
    buffered = 0;
    try {
      target.write(buffer, 0, count);
      target.flush();
    } catch (IOException e) {
      throw new WriteFailedException(e);
    }
    lastDrain = System.nanoTime();
  }

  /** The result could not be delivered. */
  public static final class WriteFailedException extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    WriteFailedException(IOException cause) {
      super("Cannot write the result: " + FaultText.of(cause), cause);
    }

    /** Whether the reader went away, as {@code head} does when it has seen enough. */
    public boolean isBrokenPipe() {
      String reason = getCause().getMessage();
      return reason != null && reason.contains("Broken pipe");
    }
  }
}
