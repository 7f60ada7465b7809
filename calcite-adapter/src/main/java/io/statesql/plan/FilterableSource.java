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

import java.util.Optional;

/** Rows of which a source can leave some out itself, by conditions on its columns. */
public interface FilterableSource extends RowSource {

  /**
   * The rows that may meet a condition. Rows that do not meet it may be among these: the condition
   * is checked again.
   *
   * @return empty if this source cannot leave out more than it does already
   */
  Optional<RowSource> filter(ColumnCondition condition);
}
