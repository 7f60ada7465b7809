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
package io.statesql.sql;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.sql.function.EngineFunction;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWindowTableFunction;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Makes sure of what the table functions TUMBLE, HOP and SESSION are called with. Calcite takes a
 * month for a millisecond, looks at the first of several columns alone, and fails on times that are
 * null and on rows between windows.
 */
public final class WindowTables extends RelHomogeneousShuttle {
  /** That HOP puts one row into. */
  private static final int MOST_WINDOWS = 10_000;

  private static final SqlOperator TIME_OF_ROW =
      EngineFunction.of("TIME_OF_ROW", WindowTables.class, "timeOfRow", SqlTypeName.TIMESTAMP);

  private final RexBuilder rexBuilder;

  private final RexShuttle subQueries =
      new RexShuttle() {
        @Override
        public RexNode visitSubQuery(RexSubQuery subQuery) {
          RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subQuery);
          RelNode rel = visited.rel.accept(WindowTables.this);
          return rel == visited.rel ? visited : visited.clone(rel);
        }
      };

  WindowTables(RexBuilder rexBuilder) {
    this.rexBuilder = rexBuilder;
  }

  /** Called by generated code. */
  public static Long timeOfRow(Long time, String function) {
    if (time == null) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          "%s does not take rows whose time is NULL; give it a subquery that leaves them out, with WHERE ... IS NOT NULL."
              .formatted(function));
    }
    return time;
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visitChildren(other).accept(subQueries);
    if (visited instanceof TableFunctionScan scan
        && scan.getCall() instanceof RexCall call
        && call.getOperator() instanceof SqlWindowTableFunction) {
      int time = timeColumn(call);
      return scan.copy(scan.getTraitSet(), List.of(withTimes(scan.getInput(0), time, call)));
    }
    return visited;
  }

  private static int timeColumn(RexCall call) {
    try {
      return check(call);
    } catch (StateSqlException e) {
      throw Positions.at(call.getParserPosition(), e);
    }
  }

  /** Returns the column of the time. */
  private static int check(RexCall call) {
    String function = call.getOperator().getName();
    boolean session = function.equals("SESSION");
    List<Long> lengths = new ArrayList<>();
    int time = -1;
    int columns = 0;
    for (RexNode operand : call.getOperands()) {
      if (operand.isA(SqlKind.DESCRIPTOR)) {
        int column = column(function, (RexCall) operand);
        time = columns == 0 ? column : time;
        columns++;
      } else if (operand instanceof RexLiteral literal) {
        lengths.add(milliseconds(function, literal));
      } else if (!(operand instanceof RexInputRef)) {
        throw refused("%s takes each length as an INTERVAL literal.".formatted(function));
      }
    }
    if (columns != (session ? 2 : 1)) {
      throw refused(
          session
              ? "SESSION takes DESCRIPTOR(time) and DESCRIPTOR(key): the sessions of which column are looked for."
              : "%s takes one DESCRIPTOR, of the column of the time.".formatted(function));
    }
    int periods = function.equals("HOP") ? 2 : 1;
    if (lengths.size() < periods || lengths.stream().limit(periods).anyMatch(l -> l <= 0)) {
      throw refused("The windows of %s are longer than nothing.".formatted(function));
    }
    if (session && lengths.size() > 1) {
      throw refused("SESSION takes one INTERVAL, the gap between two sessions.");
    }
    if (function.equals("HOP")) {
      checkHops(lengths.get(0), lengths.get(1));
    }
    return time;
  }

  private static void checkHops(long slide, long size) {
    if (slide > size) {
      throw refused(
          "The windows of HOP are at least as long as the time from one to the next; else rows would be in none.");
    }
    if (size / slide > MOST_WINDOWS) {
      throw refused(
          "HOP would put each row into %d windows; at most %d are accepted."
              .formatted(size / slide, MOST_WINDOWS));
    }
  }

  private static int column(String function, RexCall descriptor) {
    if (descriptor.getOperands().size() != 1) {
      throw refused("A DESCRIPTOR of %s names one column.".formatted(function));
    }
    return ((RexInputRef) descriptor.getOperands().get(0)).getIndex();
  }

  private static long milliseconds(String function, RexLiteral length) {
    RelDataType type = length.getType();
    if (!SqlTypeUtil.isInterval(type) || length.isNull()) {
      throw refused("%s takes each length as an INTERVAL literal.".formatted(function));
    }
    if (type.getSqlTypeName().isYearMonth()) {
      throw refused(
          "%s takes no INTERVAL of months or years, which differ in length; give a number of days, or group by FLOOR(... TO MONTH)."
              .formatted(function));
    }
    return length.getValueAs(BigDecimal.class).longValueExact();
  }

  private RelNode withTimes(RelNode input, int time, RexCall call) {
    List<RexNode> columns = new ArrayList<>(rexBuilder.identityProjects(input.getRowType()));
    RexNode column = columns.get(time);
    if (!column.getType().isNullable()) {
      return input;
    }
    columns.set(
        time,
        rexBuilder.makeCall(
            column.getType(),
            TIME_OF_ROW,
            List.of(column, rexBuilder.makeLiteral(call.getOperator().getName()))));
    return LogicalProject.create(
        input, List.of(), columns, input.getRowType().getFieldNames(), Set.of());
  }

  private static StateSqlException refused(String reason) {
    return new StateSqlException(ErrorCode.UNSUPPORTED_STATEMENT, reason);
  }
}
