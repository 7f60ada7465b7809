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
package io.statesql.format.bytes;

import io.statesql.StateSqlException;
import io.statesql.format.work.NativeLibrary;
import java.nio.file.Path;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyError;
import org.xerial.snappy.SnappyLoader;

/**
 * Snappy's native library. Left to itself it copies one into the temporary folder for each process,
 * where that of a killed process stays; a place that a user named for it holds.
 */
public final class SnappyLibrary {
  private static final NativeLibrary LIBRARY =
      new NativeLibrary("Snappy", "compressed state", SnappyLibrary::load);

  private SnappyLibrary() {}

  /**
   * Must be called before any other class of Snappy is used.
   *
   * @throws StateSqlException if there is none for this machine, or it cannot be loaded
   */
  public static void load() {
    LIBRARY.load();
  }

  private static void load(Path folder) {
    if (System.getProperty(SnappyLoader.KEY_SNAPPY_TEMPDIR) != null) {
      touch();
      return;
    }
    System.setProperty(SnappyLoader.KEY_SNAPPY_TEMPDIR, folder.toString());
    try {
      touch();
    } finally {
      System.clearProperty(SnappyLoader.KEY_SNAPPY_TEMPDIR);
    }
  }

  /** The first use of the class loads the library. */
  private static void touch() {
    try {
      Snappy.maxCompressedLength(0);
    } catch (SnappyError e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }
}
