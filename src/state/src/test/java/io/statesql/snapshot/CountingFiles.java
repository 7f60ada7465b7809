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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/** Flink's files, with a record of what was opened, how often it was read and what is open yet. */
public final class CountingFiles implements FileAccess {
  private final List<String> opened = new ArrayList<>();
  private int open;
  private int reads;

  /** The names of the files that were opened, in that order. */
  public synchronized List<String> opened() {
    return List.copyOf(opened);
  }

  /** How many files are open now. */
  public synchronized int open() {
    return open;
  }

  /** How many reads reached the file system. */
  public synchronized int reads() {
    return reads;
  }

  @Override
  public FileStatus status(Path path) throws IOException {
    return FileAccess.FLINK.status(path);
  }

  @Override
  public FileStatus[] list(Path folder) throws IOException {
    return FileAccess.FLINK.list(folder);
  }

  @Override
  public synchronized FSDataInputStream open(Path path) throws IOException {
    FSDataInputStream stream = FileAccess.FLINK.open(path);
    opened.add(path.getName());
    open++;
    return new CountingStream(stream);
  }

  private synchronized void closed() {
    open--;
  }

  private synchronized void read() {
    reads++;
  }

  private final class CountingStream extends FSDataInputStream {
    private final FSDataInputStream stream;
    private boolean closed;

    CountingStream(FSDataInputStream stream) {
      this.stream = stream;
    }

    @Override
    public void seek(long position) throws IOException {
      stream.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return stream.getPos();
    }

    @Override
    public int read() throws IOException {
      CountingFiles.this.read();
      return stream.read();
    }

    @Override
    public int read(byte[] target, int from, int count) throws IOException {
      CountingFiles.this.read();
      return stream.read(target, from, count);
    }

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        closed();
      }
      stream.close();
    }
  }
}
