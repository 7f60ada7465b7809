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

import io.statesql.edit.EditReport.ChangedState;
import io.statesql.snapshot.StreamHandle;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a commit does, or would do. Several threads may tell it of bytes and files; all else
 * is for one.
 */
final class EditTally {
  private final CommitProgress progress;
  private final long total;
  private final Set<String> operators = new LinkedHashSet<>();
  private final Set<ChangedState> states = new LinkedHashSet<>();
  private long keys;
  private int keyGroups;
  private long put;
  private long removed;
  private long rewritten;
  private int rewrittenFiles;
  private long copied;
  private int carriedFiles;

  /**
   * @param total bytes of the base
   */
  EditTally(CommitProgress progress, long total) {
    this.progress = progress;
    this.total = total;
  }

  void operator(String operator) {
    operators.add(operator);
  }

  void state(String operator, String state) {
    operators.add(operator);
    states.add(new ChangedState(operator, state));
  }

  void keys(long keyCount, int keyGroupCount) {
    keys += keyCount;
    keyGroups += keyGroupCount;
  }

  void entries(long newlyPut, long newlyRemoved) {
    put += newlyPut;
    removed += newlyRemoved;
  }

  synchronized void rewritten(long bytes) {
    rewritten += bytes;
    report();
  }

  synchronized void rewrittenFiles(int count) {
    rewrittenFiles += count;
  }

  /** Counts the file of a stream that is written anew; one within the metadata is none. */
  void rewrittenFile(StreamHandle stream) {
    if (!(stream instanceof StreamHandle.ByteStream)) {
      rewrittenFiles(1);
    }
  }

  synchronized void copied(long bytes) {
    copied += bytes;
    report();
  }

  synchronized void carriedFile() {
    carriedFiles++;
  }

  private void report() {
    progress.report(rewritten + copied, total);
  }

  synchronized EditReport report(@Nullable Path savepoint) {
    return new EditReport(
        savepoint,
        operators.stream().toList(),
        states.stream().toList(),
        keys,
        keyGroups,
        put,
        removed,
        rewritten,
        rewrittenFiles,
        copied,
        carriedFiles);
  }
}
