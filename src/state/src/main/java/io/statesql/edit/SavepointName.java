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

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Says which name a savepoint gets when all of it is on the disk. */
interface SavepointName {
  /** The folder that it goes into. */
  Path parent();

  /**
   * A name in that folder that nothing has now. Somebody may take it before it is used; then this
   * is asked again.
   *
   * @throws StateSqlException if the savepoint may not be there any more
   */
  Path next();

  /** The one name that a caller wants. */
  static SavepointName fixed(Path target) {
    Path absolute = target.toAbsolutePath().normalize();
    return new SavepointName() {
      @Override
      public Path parent() {
        return absolute.getParent();
      }

      @Override
      public Path next() {
        if (Files.exists(absolute, LinkOption.NOFOLLOW_LINKS)) {
          throw new StateSqlException(
              ErrorCode.INVALID_ARGUMENT,
              "There is something at " + absolute + " already; a commit replaces nothing.");
        }
        return absolute;
      }
    };
  }
}
