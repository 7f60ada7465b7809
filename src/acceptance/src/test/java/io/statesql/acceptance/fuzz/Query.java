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
package io.statesql.acceptance.fuzz;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A query whose columns are named c0, c1 ...
 *
 * @param rows about how many it has
 */
record Query(Sql sql, List<Kind> kinds, long rows) {
  /** Its columns where it is the source of another one. */
  List<Sql> references(String alias) {
    return IntStream.range(0, kinds.size())
        .mapToObj(i -> Sql.text(kinds.get(i), alias + ".c" + i))
        .toList();
  }
}
