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
package io.statesql.format.scan;

import io.statesql.format.model.ColumnSource;
import java.util.List;
import java.util.function.Predicate;

/**
 * A test of the keys of elements. It says of a key what it says of the columns that are made of it,
 * so that whoever asks the test of a row again gets the same answer.
 *
 * @param columns that are made of keys
 * @param passes is given the values of these columns; called by several threads at a time
 */
public record KeyTest(List<ColumnSource> columns, Predicate<Object[]> passes) {
  public KeyTest {
    columns = List.copyOf(columns);
  }
}
