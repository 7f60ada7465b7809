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

import static io.statesql.type.SqlType.Scalar.BIGINT;
import static io.statesql.type.SqlType.Scalar.BOOLEAN;
import static io.statesql.type.SqlType.Scalar.INTEGER;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import io.statesql.snapshot.OperatorState;
import java.util.List;

/** {@code sys.operators}: the operators of the snapshot, in its order. */
final class OperatorsTable extends SystemTable {
  private final MountedSnapshot mount;

  OperatorsTable(MountedSnapshot mount) {
    super(
        "Operators of the snapshot, in its order",
        column("schema_name", VARCHAR, "Schema that shows the state of the operator"),
        column("uid", VARCHAR, "Name that the job gave to the operator, where it is known"),
        column("operator_id", VARCHAR, "Hash of the uid, in hex"),
        column("operator_name", VARCHAR, "Name of the operator, where the snapshot has it"),
        column("parallelism", INTEGER, "Number of subtasks"),
        column("max_parallelism", INTEGER, "Number of key groups"),
        column("subtask_count", INTEGER, "Subtasks that stored state"),
        column("state_size", BIGINT, "Bytes of state"),
        column(
            "coordinator_state_size", BIGINT, "Bytes of the state of the operator's coordinator"),
        column("fully_finished", BOOLEAN, "Whether the operator had finished"));
    this.mount = mount;
  }

  @Override
  List<Object[]> rows() {
    return mount.operators().values().stream().map(OperatorsTable::row).toList();
  }

  private static Object[] row(MountedOperator mounted) {
    OperatorState operator = mounted.operator();
    return new Object[] {
      mounted.schemaName(),
      mounted.uid(),
      operator.id().hex(),
      operator.name(),
      operator.parallelism(),
      operator.maxParallelism(),
      operator.subtasks().size(),
      operator.stateSize(),
      operator.coordinatorState() == null ? 0L : operator.coordinatorState().stateSize(),
      operator.fullyFinished()
    };
  }
}
