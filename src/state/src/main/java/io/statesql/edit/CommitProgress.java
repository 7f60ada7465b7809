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

/** Is told how far a commit has come. Called by one of the threads that write at a time. */
@FunctionalInterface
public interface CommitProgress {
  /** For commits that nobody watches. */
  CommitProgress NONE = (written, total) -> {};

  /**
   * Takes note.
   *
   * @param written bytes of state that stand in the new folder, rewritten, copied or linked
   * @param total bytes of state of the base; the result may be larger or smaller
   */
  void report(long written, long total);
}
