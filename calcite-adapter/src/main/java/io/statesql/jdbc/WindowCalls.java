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

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexWindow;

/** Window functions with a part replaced; the frame, the order and the rest stay as they were. */
final class WindowCalls {
  private WindowCalls() {}

  static RexNode withOperand(
      RexBuilder rexBuilder, RexOver call, RelDataType type, RexNode operand) {
    return with(rexBuilder, call, type, List.of(operand), call.getWindow().partitionKeys);
  }

  static RexNode withPartitionKeys(
      RexBuilder rexBuilder, RexOver call, List<RexNode> partitionKeys) {
    return with(rexBuilder, call, call.getType(), call.getOperands(), partitionKeys);
  }

  private static RexNode with(
      RexBuilder rexBuilder,
      RexOver call,
      RelDataType type,
      List<RexNode> operands,
      List<RexNode> partitionKeys) {
    RexWindow window = call.getWindow();
    return rexBuilder.makeOver(
        type,
        call.getAggOperator(),
        operands,
        partitionKeys,
        window.orderKeys,
        window.getLowerBound(),
        window.getUpperBound(),
        window.getExclude(),
        window.isRows(),
        true,
        false,
        call.isDistinct(),
        call.ignoreNulls());
  }
}
