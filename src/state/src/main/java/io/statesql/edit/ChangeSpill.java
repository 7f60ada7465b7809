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
package io.statesql.edit;

import io.statesql.ErrorCode;
import io.statesql.FaultText;
import io.statesql.HostContext;
import io.statesql.StateSqlException;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.KeyedChange;
import io.statesql.format.work.WorkFolder;
import io.statesql.type.StateOutput;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The budget of memory that the logs of a transaction share, and the file to which all of them go
 * when it is spent. Not thread-safe.
 */
final class ChangeSpill implements Closeable {
  private static final int BLOCK_BYTES = 1 << 16;

  private final HostContext host;
  private final long budget;
  private final List<ChangeLog> logs = new ArrayList<>();
  private long used;
  private @Nullable WorkFolder folder;
  private volatile @Nullable FileChannel file;
  private long length;

  /** Those whose files hold some of our logs' runs. */
  private final List<ChangeSpill> adopted = new ArrayList<>();

  ChangeSpill(HostContext host, long budget) {
    this.host = host;
    this.budget = budget;
  }

  ChangeLog newLog() {
    ChangeLog log = new ChangeLog(this);
    logs.add(log);
    return log;
  }

  /** Takes note of memory that a log took. */
  void charge(long bytes) {
    used += bytes;
    if (used > budget) {
      spillAll();
    }
  }

  private void spillAll() {
    logs.forEach(ChangeLog::spill);
    used = 0;
  }

  /**
   * Sees to it that the later changes of another can be taken into memory, and over what is in a
   * file where they are in one.
   */
  void makeRoomFor(ChangeSpill later) {
    if (later.file != null || !later.adopted.isEmpty() || used + later.used > budget) {
      spillAll();
    }
  }

  /** Keeps the file of another, which is closed with this one. */
  void adopt(ChangeSpill other) {
    other.logs.clear();
    adopted.add(other);
  }

  /**
   * Appends sorted changes to the file.
   *
   * @param changes at least one
   * @param level of the run that they make
   */
  ChangeRun write(Iterator<KeyedChange> changes, int level) {
    try {
      FileChannel target = file();
      List<ChangeRun.Block> blocks = new ArrayList<>();
      StateOutput out = new StateOutput();
      EntryAddress first = null;
      while (changes.hasNext()) {
        KeyedChange change = changes.next();
        first = first == null ? change.address() : first;
        ChangeCodec.write(change.address(), change.change(), out);
        if (out.length() >= BLOCK_BYTES) {
          blocks.add(append(target, first, out));
          first = null;
        }
      }
      if (first != null) {
        blocks.add(append(target, first, out));
      }
      return new ChangeRun(this, blocks, level);
    } catch (IOException e) {
      throw failure("write", e);
    }
  }

  private ChangeRun.Block append(FileChannel target, EntryAddress first, StateOutput out)
      throws IOException {
    ChangeRun.Block block = new ChangeRun.Block(first, length, out.length());
    ByteBuffer bytes = ByteBuffer.wrap(out.array(), 0, out.length());
    while (bytes.hasRemaining()) {
      length += target.write(bytes, length);
    }
    out.reset();
    return block;
  }

  private FileChannel file() throws IOException {
    if (file == null) {
      folder = WorkFolder.create(host);
      Path path = folder.files().resolve("changes");
      file =
          FileChannel.open(
              path,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
    }
    return file;
  }

  byte[] read(long position, int count) {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    FileChannel source = file;
    if (source == null) {
      throw ended(null);
    }
    try {
      while (bytes.hasRemaining()) {
        if (source.read(bytes, position + bytes.position()) < 0) {
          throw new IOException("the file ends at " + (position + bytes.position()));
        }
      }
      return bytes.array();
    } catch (ClosedChannelException e) {
      throw ended(e);
    } catch (IOException e) {
      throw failure("read", e);
    }
  }

  private static StateSqlException ended(@Nullable ClosedChannelException e) {
    return new StateSqlException(
        ErrorCode.CANCELED,
        "The transaction that this result belongs to has ended; run the query again.",
        e);
  }

  private StateSqlException failure(String what, IOException e) {
    return new StateSqlException(
        ErrorCode.IO_ERROR,
        "Cannot "
            + what
            + " the changes of the transaction in its work folder: "
            + FaultText.of(e)
            + ".",
        e);
  }

  /** Closes the file and removes it, and those that were adopted, all of them also if one fails. */
  @Override
  public void close() {
    logs.clear();
    RuntimeException failure = null;
    for (ChangeSpill other : adopted) {
      try {
        other.close();
      } catch (RuntimeException e) {
        failure = joined(failure, e);
      }
    }
    adopted.clear();
    try {
      closeFile();
    } catch (RuntimeException e) {
      failure = joined(failure, e);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static RuntimeException joined(@Nullable RuntimeException first, RuntimeException next) {
    if (first == null) {
      return next;
    }
    first.addSuppressed(next);
    return first;
  }

  private void closeFile() {
    try {
      if (file != null) {
        file.close();
        file = null;
      }
    } catch (IOException e) {
      throw failure("close", e);
    } finally {
      if (folder != null) {
        folder.close();
        folder = null;
      }
    }
  }
}
