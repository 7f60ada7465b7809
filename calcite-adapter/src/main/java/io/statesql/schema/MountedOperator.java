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

import io.statesql.edit.EditedSnapshot;
import io.statesql.snapshot.OperatorState;

/** An operator under the name of its schema. Reads the headers of its state when first asked. */
final class MountedOperator {
  private final String schemaName;
  private final String uid;
  private final OperatorState operator;
  private final EditedSnapshot snapshot;
  private OperatorTables tables;

  /**
   * @param uid as the snapshot or the user gives it; null if unknown
   */
  MountedOperator(String schemaName, String uid, OperatorState operator, EditedSnapshot snapshot) {
    this.schemaName = schemaName;
    this.uid = uid;
    this.operator = operator;
    this.snapshot = snapshot;
  }

  String schemaName() {
    return schemaName;
  }

  String uid() {
    return uid;
  }

  OperatorState operator() {
    return operator;
  }

  /** Whether the transaction removed it. */
  boolean isDropped() {
    return snapshot.isDropped(operator.id());
  }

  EditedSnapshot snapshot() {
    return snapshot;
  }

  /** The tables of its state. Files that could not be had are asked for again at each call. */
  synchronized OperatorTables tables() {
    if (tables == null || !tables.isLasting()) {
      tables = OperatorTables.read(snapshot, operator);
    }
    return tables;
  }
}
