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
package io.statesql.jdbc;

import io.statesql.Cancellation;
import io.statesql.edit.Transaction;
import io.statesql.value.Composites;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What preparing a statement needs to know of its connection. */
public interface StatementContext extends CalcitePrepare.Context {
  /** How columns of type ARRAY, MAP and ROW are given. */
  Composites composites();

  /** The same for what the catalogs show now: a context keeps what it has looked up. */
  StatementContext renewed();

  /** Ends the planning of a statement that its client does not want any more. */
  Cancellation planning();

  /**
   * Moves the connection: its statements from the next one on look names up here first.
   *
   * @param schema null for none
   */
  void use(String catalog, @Nullable String schema);

  /** What the connection changed. */
  Transaction transaction();
}
