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
package io.statesql.format.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.statesql.ErrorCode;
import io.statesql.FaultText;
import io.statesql.StateSqlException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Loads a native library of a jar when it is first needed, by way of a work folder: no two
 * processes share a copy, nobody else can put one in its place, and none is left behind, also of a
 * process that is killed.
 */
public final class NativeLibrary {
  private final String name;
  private final String use;
  private final Loading loading;

  @GuardedBy("this")
  private boolean loaded;

  /** What loads the library. */
  @FunctionalInterface
  public interface Loading {
    /** Loads it by a copy in a folder, unless it is loaded already. */
    void by(Path folder) throws IOException;
  }

  /**
   * @param name whose library it is
   * @param use what needs it
   */
  public NativeLibrary(String name, String use, Loading loading) {
    this.name = name;
    this.use = use;
    this.loading = loading;
  }

  /**
   * Loads it, the first time.
   *
   * @throws StateSqlException if there is none for this machine, or it cannot be loaded
   */
  public synchronized void load() {
    if (loaded) {
      return;
    }
    WorkFolder folder = WorkFolder.create();
    boolean inUse = false;
    try {
      loading.by(folder.files());
      loaded = true;
      // Windows refuses to delete a library in use; it goes with the next process.
      inUse = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("win");
    } catch (IOException | RuntimeException | LinkageError e) {
      throw new StateSqlException(
          ErrorCode.IO_ERROR,
          "Cannot load the native library of "
              + name
              + ", which "
              + use
              + " needs: "
              + FaultText.of(e.getMessage() == null && e.getCause() != null ? e.getCause() : e)
              + "; if "
              + folder.files()
              + " is on a disk that forbids execution, name another place with -D"
              + WorkFolder.BASE_PROPERTY
              + "=FOLDER.",
          e);
    } finally {
      if (!inUse) {
        folder.close();
      }
    }
  }
}
