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
package io.statesql.plan;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Rows of which a source can test the key before it reads anything else of them. */
public interface KeyTestedSource extends RowSource {

  /** The columns of the key, by position in the table; none if a test would be of no use. */
  Set<Integer> testableColumns();

  /**
   * The rows whose keys pass a test. Others may be among these: the test is part of a condition
   * that is asked of the rows again.
   *
   * @param columns some of the testable ones
   * @param test is given values of these columns; called by several threads at a time
   */
  RowSource whereKey(List<Integer> columns, Predicate<Object[]> test);
}
