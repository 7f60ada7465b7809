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

import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The program that reads a database for another process, which starts it with {@link ReaderCommand}
 * and speaks {@link ReaderProtocol} to it. Ends when its input does, that is with the other
 * process, also while RocksDB is at work.
 */
final class ReaderMain {
  private static final int MAX_REQUEST = 1 << 28;

  private ReaderMain() {}

  /** Answers requests until the input ends. */
  public static void main(String[] args) throws Exception {
    OutputStream answers = new FileOutputStream(FileDescriptor.out);
    // Whatever is printed must not get among the answers.
    System.setOut(System.err);
    beFirstToGo();
    BlockingQueue<FrameInput> requests = new LinkedBlockingQueue<>();
    Thread listener = new Thread(() -> listen(requests), "statesql-requests");
    listener.setDaemon(true);
    listener.start();
    RocksDbLibrary.load();
    ServedDatabase database = new ServedDatabase();
    while (true) {
      database.answer(requests.take()).writeTo(answers);
    }
  }

  private static void listen(BlockingQueue<FrameInput> requests) {
    try (DataInputStream in = new DataInputStream(new FileInputStream(FileDescriptor.in))) {
      while (true) {
        requests.put(FrameInput.read(in, MAX_REQUEST));
      }
    } catch (IOException | InterruptedException e) {
      // The other process has ended, or has no more use for this one.
      Runtime.getRuntime().halt(0);
    }
  }

  /** Linux ends this process before the one that it reads for when memory runs out. */
  private static void beFirstToGo() {
    try {
      Files.writeString(Path.of("/proc/self/oom_score_adj"), "1000");
    } catch (IOException | RuntimeException e) {
      // Only Linux has it.
      return;
    }
  }
}
