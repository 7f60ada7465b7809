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
package io.statesql.format.rocksdb.database;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.statesql.Cancellation;
import io.statesql.HostContext;
import io.statesql.StateSqlException;
import java.nio.BufferUnderflowException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * A RocksDB database that a process of its own reads, so that native code which goes wrong over
 * hostile files takes that process along and not this one. The process is started for who reads
 * first; if it has ended, readers that it had fail, and the next one gets a new process.
 */
public final class IsolatedDatabase implements Database {
  private final Path files;
  private final HostContext host;
  private final int maxBytes;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private @Nullable ReadingProcess process;

  /** Who uses the present process. */
  @GuardedBy("lock")
  private int users;

  @GuardedBy("lock")
  private Set<String> tables = Set.of();

  private IsolatedDatabase(Path files, HostContext host, int maxBytes) {
    this.files = files;
    this.host = host;
    this.maxBytes = maxBytes;
  }

  /**
   * Opens a database.
   *
   * @param files the folder with its files
   * @param host has the place for what a process writes
   * @param maxBytes how long a value may be; of a longer one its length is told
   * @throws RocksDBException if it cannot be opened
   * @throws StateSqlException if no process can be started for it, or the cancellation says so
   */
  public static IsolatedDatabase open(
      Path files, HostContext host, int maxBytes, Cancellation cancellation)
      throws RocksDBException {
    IsolatedDatabase result = new IsolatedDatabase(files, host, maxBytes);
    result.leave(result.enter(cancellation));
    return result;
  }

  @Override
  public Set<String> tables() {
    lock.lock();
    try {
      return tables;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public DatabaseReader read(byte[] from, byte @Nullable [] to, Cancellation cancellation) {
    return new IsolatedReader(this, from, to, cancellation);
  }

  int maxBytes() {
    return maxBytes;
  }

  /** The process that reads, until {@link #leave}. */
  ReadingProcess enter(Cancellation cancellation) throws RocksDBException {
    lock.lock();
    try {
      if (process != null && process.hasEnded()) {
        endProcess();
      }
      if (process == null) {
        ReadingProcesses.begin(this);
        try {
          process = ReadingProcess.start(host, maxBytes);
          users = 0;
          open(process, cancellation);
        } catch (RocksDBException | RuntimeException | Error e) {
          endProcess();
          throw e;
        }
      }
      users++;
      return process;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void open(ReadingProcess started, Cancellation cancellation) throws RocksDBException {
    FrameInput answer =
        started.ask(
            new FrameOutput(ReaderProtocol.OPEN).string(files.toString()).number(maxBytes),
            cancellation);
    try {
      Set<String> names = new HashSet<>();
      for (int left = answer.count(); left > 0; left--) {
        names.add(answer.text());
      }
      tables = Set.copyOf(names);
    } catch (BufferUnderflowException e) {
      throw started.broken();
    }
  }

  void leave(ReadingProcess left) {
    lock.lock();
    try {
      if (left == process) {
        users--;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the process to make room for another, unless somebody uses it. */
  boolean endIfIdle() {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      if (users > 0 || process == null) {
        return false;
      }
      endProcess();
      return true;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void endProcess() {
    if (process != null) {
      process.end();
      process = null;
    }
    ReadingProcesses.ended(this);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      endProcess();
    } finally {
      lock.unlock();
    }
  }
}
