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
package io.statesql.benchmark.scan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Watches the high-water mark of a process's resident memory, which Linux keeps ({@code VmHWM} in
 * {@code /proc/PID/status}). Asked every few milliseconds, because it vanishes with the process.
 */
final class PeakMemory {
  private static final String MARK = "VmHWM:";
  private static final int PERIOD_MILLIS = 20;

  private final Path status;
  private final Thread watcher;
  private volatile long kilobytes;

  private PeakMemory(Process process) {
    this.status = Path.of("/proc", String.valueOf(process.pid()), "status");
    this.watcher = new Thread(() -> watchUntilEndOf(process), "peak-memory");
    watcher.setDaemon(true);
  }

  static PeakMemory watch(Process process) {
    PeakMemory peak = new PeakMemory(process);
    peak.watcher.start();
    return peak;
  }

  private void watchUntilEndOf(Process process) {
    try {
      while (process.isAlive()) {
        look();
        Thread.sleep(PERIOD_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    try {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith(MARK)) {
          kilobytes =
              Long.parseLong(line.substring(MARK.length(), line.length() - "kB".length()).strip());
        }
      }
    } catch (IOException e) {
      // The process has ended, and the last look holds.
      return;
    }
  }

  /** The mark when it was last seen; after the end of the process. */
  long bytes() throws InterruptedException {
    watcher.join();
    if (kilobytes == 0) {
      throw new IllegalStateException("Cannot read " + status);
    }
    return kilobytes << 10;
  }
}
