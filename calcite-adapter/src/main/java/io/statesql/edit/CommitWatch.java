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

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How far the commit that runs has come. Safe for use by many threads. */
public final class CommitWatch implements CommitProgress {
  private volatile @Nullable Written present;

  /**
   * A moment of a commit.
   *
   * @param bytes of state that stand in the new folder
   * @param total bytes of state of the snapshot that is changed
   */
  public record Written(long bytes, long total) {}

  @Override
  public void report(long written, long total) {
    present = new Written(written, total);
  }

  void end() {
    present = null;
  }

  /** Empty while no commit writes. */
  public Optional<Written> present() {
    return Optional.ofNullable(present);
  }
}
