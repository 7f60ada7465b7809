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
package io.statesql;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What the process around readers and writers of snapshots supplies: the place for files of their
 * own, and the register of what they read. A process that serves several masters, such as the tasks
 * of one that runs others' code, has one for each. Native libraries are no part of it: a process
 * loads each once, by whoever needs it first. Safe for use by many threads.
 */
public final class HostContext {
  private static final HostContext PROCESS = new HostContext(Optional.empty());

  private final Optional<Path> workDir;
  private final OpenSplits openSplits = new OpenSplits();

  private HostContext(Optional<Path> workDir) {
    this.workDir = workDir;
  }

  /** Of what runs in this process for nobody in particular, as the embedded driver does. */
  public static HostContext ofThisProcess() {
    return PROCESS;
  }

  /**
   * A host in which nothing is read yet.
   *
   * @param workDir the folder for work folders, which must exist
   */
  public static HostContext in(Path workDir) {
    return new HostContext(Optional.of(workDir.toAbsolutePath()));
  }

  /** The folder for work folders; empty for the one that the process has been given. */
  public Optional<Path> workDir() {
    return workDir;
  }

  /** The splits that are read at the moment. */
  public OpenSplits openSplits() {
    return openSplits;
  }
}
