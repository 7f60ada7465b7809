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
package io.statesql.schema;

import java.util.List;

/** A table that tells what it holds, for the remarks of JDBC's metadata. */
public interface DescribedTable {
  /** What a row is. */
  String remarks();

  /** What each column holds, in their order. */
  List<ColumnDescription> columnDescriptions();

  /**
   * What a column holds.
   *
   * @param type as SQL writes it
   * @param isKey whether it is part of what tells rows apart
   */
  record ColumnDescription(String name, String type, String remarks, boolean isKey) {}
}
