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

import static java.nio.charset.StandardCharsets.UTF_8;

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.FaultText;
import io.statesql.HostContext;
import io.statesql.StateSqlException;
import io.statesql.format.work.WorkFolder;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import java.nio.BufferUnderflowException;
import java.nio.file.Files;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that reads a database for this one: {@link ReaderMain}. Many threads may ask, one after
 * the other. Nothing that it answers is trusted to be of any form.
 */
final class ReadingProcess {
  private static final Logger LOG = LoggerFactory.getLogger(ReadingProcess.class);

  /** How often who waits asks whether it is still to do so. */
  private static final int POLL_MILLIS = 50;

  /** How long an answer is waited for that nobody wants any more, before the process is ended. */
  private static final int GRACE_MILLIS = 500;

  /** How long it may take the system to end a process. */
  private static final int END_SECONDS = 10;

  private static final int MAX_LOG = 1 << 12;
  private static final int MAX_MESSAGE = 1 << 10;

  /** Exit codes from here on are those of signals. */
  private static final int SIGNALS = 128;

  private static final int MAX_SIGNAL = 64;

  private final Process process;
  private final WorkFolder folder;
  private final int maxFrame;
  private final BlockingQueue<FrameInput> answers = new ArrayBlockingQueue<>(1);
  private final ReentrantLock turn = new ReentrantLock(true);
  private final AtomicInteger numbers = new AtomicInteger();

  /** What has come to an end; set before {@link #ended}. */
  private volatile String reason = "";

  private volatile boolean ended;

  private ReadingProcess(Process process, WorkFolder folder, int maxFrame) {
    this.process = process;
    this.folder = folder;
    this.maxFrame = maxFrame;
  }

  /**
   * Starts a process, to be ended by the caller.
   *
   * @param host has the place for what it writes
   * @param maxBytes how long a key or value may be
   * @throws StateSqlException if it cannot be started
   */
  static ReadingProcess start(HostContext host, int maxBytes) {
    // All that it writes goes there, so that nothing is left of one that is killed.
    WorkFolder folder = WorkFolder.create(host);
    ReadingProcess result = null;
    try {
      Process process = ReaderCommand.start(folder.files(), maxBytes);
      result = new ReadingProcess(process, folder, ReaderProtocol.maxFrame(maxBytes));
      Thread listener = new Thread(result::listen, "statesql-answers");
      listener.setDaemon(true);
      listener.start();
      return result;
    } catch (IOException e) {
      folder.close();
      throw new StateSqlException(
          ErrorCode.IO_ERROR,
          "Cannot start a process that reads RocksDB files, as the option isolate wants it: "
              + FaultText.of(e)
              + ".",
          e);
    } catch (RuntimeException | Error e) {
      if (result != null) {
        result.end();
      }
      folder.close();
      throw e;
    }
  }

  private void listen() {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
      while (!ended) {
        FrameInput answer = FrameInput.read(in, maxFrame);
        while (!ended && !answers.offer(answer, 1, TimeUnit.SECONDS)) {
          LOG.trace("Nobody has taken an answer yet");
        }
      }
    } catch (StreamCorruptedException | OutOfMemoryError e) {
      if (!isCrashing()) {
        reason = "gave an answer that is none (" + e.getMessage() + ")";
      }
    } catch (IOException | InterruptedException e) {
      LOG.debug("The reading process {} answers no more", process.pid(), e);
    } finally {
      ended = true;
    }
  }

  /** A JVM that crashes prints its report where answers are read: how it ended says more then. */
  private boolean isCrashing() {
    try {
      return process.waitFor(END_SECONDS, TimeUnit.SECONDS) && process.exitValue() > SIGNALS;
    } catch (InterruptedException e) {
      LOG.debug("Nobody waits for the end of the reading process {}", process.pid(), e);
      return false;
    }
  }

  /** A number for an iterator. */
  int nextNumber() {
    return numbers.incrementAndGet();
  }

  boolean hasEnded() {
    return ended;
  }

  /**
   * Asks for something, and waits for the answer.
   *
   * @return what follows after {@link ReaderProtocol#DONE}
   * @throws RocksDBException if that is the answer, or the process has ended
   * @throws StateSqlException if nobody wants the answer any more; where it does not come soon, the
   *     process has been ended
   */
  FrameInput ask(FrameOutput request, Cancellation cancellation) throws RocksDBException {
    try {
      while (!turn.tryLock(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        cancellation.check();
      }
      try {
        send(request);
        return done(await(cancellation));
      } finally {
        turn.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted();
    }
  }

  /** For a request that a process which is well answers at once. */
  Cancellation notForLong() {
    long start = System.nanoTime();
    return () -> {
      if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS)) {
        throw interrupted();
      }
    };
  }

  private static StateSqlException interrupted() {
    return new StateSqlException(ErrorCode.CANCELED, "The reading of RocksDB files was stopped.");
  }

  private void send(FrameOutput request) throws ReadingProcessException {
    if (ended) {
      throw failure();
    }
    try {
      request.writeTo(process.getOutputStream());
    } catch (IOException e) {
      LOG.debug("The reading process {} takes no request", process.pid(), e);
      throw failure();
    }
  }

  private FrameInput await(Cancellation cancellation)
      throws ReadingProcessException, InterruptedException {
    boolean wanted = false;
    try {
      while (true) {
        FrameInput answer = answers.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        if (answer == null && ended) {
          // It may have come between the two.
          answer = answers.poll();
          if (answer == null) {
            throw failure();
          }
        }
        if (answer != null) {
          wanted = true;
          return answer;
        }
        cancellation.check();
      }
    } finally {
      if (!wanted && !ended) {
        letGo();
      }
    }
  }

  /** Takes the answer that nobody wants, so that the next one is not taken for it. */
  private void letGo() throws InterruptedException {
    if (answers.poll(GRACE_MILLIS, TimeUnit.MILLISECONDS) == null) {
      reason = "did not answer a statement that was stopped, and was ended";
      end();
    }
  }

  private FrameInput done(FrameInput answer) throws RocksDBException {
    try {
      byte kind = answer.kind();
      if (kind == ReaderProtocol.DONE) {
        return answer;
      }
      if (kind == ReaderProtocol.FAULT) {
        Status.Code code = Status.Code.getCode((byte) answer.number());
        String message = answer.text();
        throw new RocksDBException(
            message.substring(0, Math.min(MAX_MESSAGE, message.length())),
            new Status(code, Status.SubCode.None, null));
      }
      throw broken();
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw broken();
    }
  }

  /** Ends the process, because an answer is not of the form that it should have. */
  ReadingProcessException broken() {
    reason = "gave an answer that is none";
    end();
    return failure();
  }

  /** Why the process that has ended cannot answer. */
  private ReadingProcessException failure() {
    String known = reason;
    stop();
    String text = known.isEmpty() ? exit() : known;
    LOG.warn("A process that read RocksDB files {}; it printed: {}", text, log());
    end();
    return new ReadingProcessException(text);
  }

  private String exit() {
    if (process.isAlive()) {
      return "does not end";
    }
    int status = process.exitValue();
    return status > SIGNALS && status <= SIGNALS + MAX_SIGNAL
        ? "ended with signal " + (status - SIGNALS)
        : "ended with exit code " + status;
  }

  private String log() {
    try (InputStream in = Files.newInputStream(folder.files().resolve(ReaderCommand.LOG))) {
      return new String(in.readNBytes(MAX_LOG), UTF_8).replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    } catch (IOException e) {
      return FaultText.of(e);
    }
  }

  /** Ends the process and removes what it left; a second time does nothing. */
  void end() {
    stop();
    try {
      folder.close();
    } catch (StateSqlException e) {
      LOG.warn("The folder of a process that read RocksDB files stays until this one ends", e);
    }
  }

  private void stop() {
    boolean dying = ended;
    ended = true;
    boolean interrupted = false;
    try {
      // One that has closed its answers is about to end by itself, with what it ends.
      if (!dying || !process.waitFor(GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
      process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
