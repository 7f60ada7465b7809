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

import static org.apache.calcite.util.Static.RESOURCE;

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.NearestNames;
import io.statesql.StateSqlException;
import io.statesql.plan.ChangeKind;
import io.statesql.plan.ModifiableState;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.prepare.CalciteSqlValidator;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.Resources;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidatorException;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * Calcite's validator with our errors for unknown names, no silent loss in literals, and fewer
 * words that hide a column.
 */
public final class StateSqlValidator extends CalciteSqlValidator {
  /**
   * Functions that an unquoted name without parentheses would call; {@code user} and the like are
   * columns here.
   */
  private static final Set<String> FUNCTIONS_WITHOUT_PARENTHESES =
      Set.of("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP");

  private static final int MAX_FRACTION_DIGITS = 3;

  private final StateSqlCatalogReader reader;
  private final Set<Integer> rowCounts;
  private final Cancellation planning;

  /**
   * @param rowCounts gets the positions of parameters that are numbers of rows
   * @param planning ends the validation
   */
  public StateSqlValidator(
      SqlOperatorTable operatorTable,
      StateSqlCatalogReader reader,
      JavaTypeFactory typeFactory,
      Config config,
      Set<Integer> rowCounts,
      Cancellation planning) {
    super(operatorTable, reader, typeFactory, config);
    this.planning = planning;
    this.reader = reader;
    this.rowCounts = rowCounts;
  }

  @Override
  public SqlCall makeNullaryCall(SqlIdentifier id) {
    return id.isSimple()
            && FUNCTIONS_WITHOUT_PARENTHESES.contains(id.getSimple().toUpperCase(Locale.ROOT))
        ? super.makeNullaryCall(id)
        : null;
  }

  @Override
  protected SqlNode performUnconditionalRewrites(SqlNode node, boolean underFrom) {
    if (node instanceof SqlOrderBy ordered) {
      requireRowCount(ordered.fetch);
      requireRowCount(ordered.offset);
    }
    if (node instanceof SqlSelect select && select.getGroup() != null) {
      accept(select.getGroup(), RefusedClauses.ofGroups(select.getGroup()));
    }
    return super.performUnconditionalRewrites(
        CallForms.convert(LiteralForms.convert(node)), underFrom);
  }

  /** Calcite would cut 2.5 to 2, and cannot run a number beyond INTEGER. */
  private void requireRowCount(SqlNode count) {
    if (count instanceof SqlDynamicParam parameter) {
      rowCounts.add(parameter.getIndex());
    }
    if (count instanceof SqlNumericLiteral number
        && (!number.isInteger()
            || number.bigDecimalValue().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0)) {
      throw atPosition(
          number,
          new StateSqlException(
              ErrorCode.INVALID_ARGUMENT,
              "A number of rows is a whole number up to %d, not %s."
                  .formatted(Integer.MAX_VALUE, number.toValue())));
    }
  }

  @Override
  public RelDataType deriveType(SqlValidatorScope scope, SqlNode expression) {
    planning.check();
    if (!(expression instanceof SqlCall call)) {
      return super.deriveType(scope, expression);
    }
    accept(call, RefusedArguments.refusal(call, operand -> typeOf(operand, scope)));
    RelDataType type = orRefused(call, () -> super.deriveType(scope, call));
    accept(
        call,
        call.getKind() == SqlKind.OVER
            ? WindowCalls.refusal(call)
            : JsonCalls.refusal(call, operand -> typeOf(operand, scope)));
    return type;
  }

  @Override
  protected void inferUnknownTypes(
      RelDataType inferredType, SqlValidatorScope scope, SqlNode node) {
    super.inferUnknownTypes(
        node instanceof SqlDynamicParam
            ? ParameterTypes.of(inferredType, typeFactory)
            : inferredType,
        scope,
        node);
  }

  /** Of what may have been looked at before. */
  private RelDataType typeOf(SqlNode operand, SqlValidatorScope scope) {
    return orRefused(operand, () -> super.deriveType(scope, operand));
  }

  /** FROM is validated apart from expressions. */
  @Override
  public void validateNamespace(SqlValidatorNamespace namespace, RelDataType targetRowType) {
    SqlNode node = namespace.getNode();
    orRefused(
        node,
        () -> {
          super.validateNamespace(namespace, targetRowType);
          return null;
        });
  }

  @Override
  public void validateCall(SqlCall call, SqlValidatorScope scope) {
    orRefused(
        call,
        () -> {
          super.validateCall(call, scope);
          return null;
        });
  }

  private static void accept(SqlNode node, @Nullable StateSqlException refusal) {
    if (refusal != null) {
      throw atPosition(node, refusal);
    }
  }

  /** Calcite stumbles over many arguments that it should refuse. */
  private static <T> T orRefused(@Nullable SqlNode node, Supplier<T> validation) {
    try {
      return validation.get();
    } catch (RuntimeException | AssertionError e) {
      if (!(node instanceof SqlCall call) || !SqlErrors.isStumble(e)) {
        throw e;
      }
      throw atPosition(
          node,
          new StateSqlException(
              ErrorCode.UNSUPPORTED_STATEMENT,
              "%s does not take these arguments.".formatted(call.getOperator().getName()),
              e));
    }
  }

  @Override
  public void validateWindow(SqlNode window, SqlValidatorScope scope, @Nullable SqlCall call) {
    super.validateWindow(window, scope, call);
    WindowFrames.Refusal refusal =
        WindowFrames.refusal(resolveWindow(window, scope), part -> typeOf(part, scope));
    if (refusal != null) {
      throw atPosition(refusal.part(), refusal.reason());
    }
  }

  @Override
  public void validateDataType(SqlDataTypeSpec dataType) {
    super.validateDataType(dataType);
    accept(dataType, RefusedClauses.ofType(dataType.deriveType(this)));
  }

  @Override
  protected void validateFrom(SqlNode node, RelDataType targetRowType, SqlValidatorScope scope) {
    accept(node, RefusedClauses.ofFrom(node));
    super.validateFrom(node, targetRowType, scope);
  }

  /** Calcite takes each row for that of a sub-query, which has one column. */
  @Override
  protected void validateWhereOrOn(SqlValidatorScope scope, SqlNode condition, String clause) {
    inferUnknownTypes(typeFactory.createSqlType(SqlTypeName.BOOLEAN), scope, condition);
    RelDataType type = deriveType(scope, condition);
    if (type.isStruct() && type.getFieldCount() != 1) {
      throw newValidationError(condition, RESOURCE.condMustBeBoolean(clause));
    }
    super.validateWhereOrOn(scope, condition, clause);
  }

  /** Calcite finds the first row that a condition of time fits, and not the last. */
  @Override
  protected void validateJoin(SqlJoin join, SqlValidatorScope scope) {
    if (join.getJoinType() == JoinType.ASOF || join.getJoinType() == JoinType.LEFT_ASOF) {
      throw atPosition(
          join,
          new StateSqlException(
              ErrorCode.UNSUPPORTED_STATEMENT,
              "ASOF JOIN is not accepted; join with a subquery that finds the last row for each."));
    }
    super.validateJoin(join, scope);
  }

  @Override
  public void validateMatchRecognize(SqlCall call) {
    throw atPosition(
        call,
        new StateSqlException(ErrorCode.UNSUPPORTED_STATEMENT, "MATCH_RECOGNIZE is not accepted."));
  }

  @Override
  public void validateLiteral(SqlLiteral literal) {
    requireMilliseconds(literal);
    super.validateLiteral(literal);
  }

  // The literals of VALUES are resolved, but not validated.
  @Override
  public SqlLiteral resolveLiteral(SqlLiteral literal) {
    SqlLiteral resolved = super.resolveLiteral(literal);
    requireMilliseconds(resolved);
    return resolved;
  }

  private static void requireMilliseconds(SqlLiteral literal) {
    String text =
        switch (literal.getTypeName()) {
          case TIME -> literal.getValueAs(TimeString.class).toString();
          case TIMESTAMP -> literal.getValueAs(TimestampString.class).toString();
          case INTERVAL_DAY_SECOND, INTERVAL_HOUR_SECOND, INTERVAL_MINUTE_SECOND, INTERVAL_SECOND ->
              literal
                  .getValueAs(SqlIntervalLiteral.IntervalValue.class)
                  .getIntervalLiteral()
                  .replaceFirst("(\\.\\d*?)0+$", "$1");
          default -> "";
        };
    // These texts have no trailing zeros.
    int point = text.indexOf('.');
    if (point >= 0 && text.length() - point - 1 > MAX_FRACTION_DIGITS) {
      throw atPosition(
          literal,
          new StateSqlException(
              ErrorCode.DATETIME_OVERFLOW,
              "The time '%s' is finer than a millisecond; compare the column's finer digits in its column of nanoseconds."
                  .formatted(text)));
    }
  }

  @Override
  protected SqlSelect createSourceSelectForUpdate(SqlUpdate call) {
    SqlNodeList columns =
        SqlNodeList.of(new SqlIdentifier(ModifiableState.STORED, SqlParserPos.ZERO));
    int ordinal = 0;
    for (SqlNode value : call.getSourceExpressionList()) {
      columns.add(SqlValidatorUtil.addAlias(value, SqlUtil.deriveAliasFromOrdinal(ordinal)));
      ordinal++;
    }
    return ChangedRows.select(columns, call.getTargetTable(), call.getAlias(), call.getCondition());
  }

  @Override
  protected SqlSelect createSourceSelectForDelete(SqlDelete call) {
    SqlNodeList columns =
        SqlNodeList.of(new SqlIdentifier(ModifiableState.STORED, SqlParserPos.ZERO));
    return ChangedRows.select(columns, call.getTargetTable(), call.getAlias(), call.getCondition());
  }

  /** For an UPDATE, what {@link #createSourceSelectForUpdate} selects. */
  @Override
  protected RelDataType createTargetRowType(
      SqlValidatorTable table,
      @Nullable SqlNodeList targetColumns,
      boolean append,
      @Nullable SqlIdentifier alias) {
    RelDataType assigned = super.createTargetRowType(table, targetColumns, false, alias);
    if (!append) {
      return assigned;
    }
    return typeFactory
        .builder()
        .add(ModifiableState.STORED, SqlTypeName.ANY)
        .addAll(assigned.getFieldList())
        .build();
  }

  /**
   * Converts nothing: what a value loses on its way to the type of its column is seen where it is
   * written, and told with the row.
   */
  @Override
  protected void checkTypeAssignment(
      @Nullable SqlValidatorScope sourceScope,
      SqlValidatorTable table,
      RelDataType sourceRowType,
      RelDataType targetRowType,
      SqlNode query) {
    for (int i = 0; i < sourceRowType.getFieldCount(); i++) {
      RelDataTypeField target = targetRowType.getFieldList().get(i);
      RelDataType source = sourceRowType.getFieldList().get(i).getType();
      if (!ChangedRows.isAssignable(target.getType(), source)) {
        throw atPosition(
            ChangedRows.assignment(query, i),
            new StateSqlException(
                ErrorCode.INVALID_STATEMENT,
                "The column %s is of type %s, to which a value of type %s cannot be assigned; write a CAST."
                    .formatted(NearestNames.quote(target.getName()), target.getType(), source)));
      }
    }
  }

  @Override
  public void validateInsert(SqlInsert insert) {
    ModifiableState table = modifiable(insert.getTargetTable());
    ChangeKind kind = insert.isUpsert() ? ChangeKind.UPSERT : ChangeKind.INSERT;
    if (insert.getTargetColumnList() == null) {
      insert.setOperand(3, ChangedRows.assignable(table, kind, typeFactory));
    } else {
      requireAssignable(table, kind, insert.getTargetColumnList());
    }
    ChangedRows.refuseDefaults(insert.getSource());
    super.validateInsert(insert);
  }

  @Override
  public void validateUpdate(SqlUpdate update) {
    requireAssignable(
        modifiable(update.getTargetTable()), ChangeKind.UPDATE, update.getTargetColumnList());
    super.validateUpdate(update);
  }

  @Override
  public void validateDelete(SqlDelete delete) {
    modifiable(delete.getTargetTable());
    super.validateDelete(delete);
  }

  private ModifiableState modifiable(SqlNode name) {
    SqlValidatorTable table =
        name instanceof SqlIdentifier identifier ? reader.getTable(identifier.names) : null;
    if (table == null) {
      throw newValidationError(name, RESOURCE.objectNotFound(name.toString()));
    }
    ModifiableState state = table.unwrap(ModifiableState.class);
    if (state == null) {
      throw atPosition(
          name,
          new StateSqlException(
              ErrorCode.UNSUPPORTED_STATEMENT,
              "The table %s cannot be changed: only tables of operators can."
                  .formatted(String.join(".", table.getQualifiedName()))));
    }
    return state;
  }

  private void requireAssignable(ModifiableState table, ChangeKind kind, SqlNodeList columns) {
    List<RelDataTypeField> fields = table.getRowType(typeFactory).getFieldList();
    for (SqlNode node : columns) {
      SqlIdentifier name = (SqlIdentifier) node;
      RelDataTypeField field =
          reader.nameMatcher().field(table.getRowType(typeFactory), Util.last(name.names));
      if (field == null) {
        throw atPosition(
            name,
            UnknownName.ofAssigned(
                Util.last(name.names), table.getRowType(typeFactory).getFieldNames()));
      }
      String reason = table.readOnlyReason(kind, field.getIndex());
      if (reason != null) {
        throw atPosition(
            name,
            new StateSqlException(
                ErrorCode.INVALID_STATEMENT,
                "The column %s cannot be assigned: %s."
                    .formatted(
                        NearestNames.quote(fields.get(field.getIndex()).getName()), reason)));
      }
    }
  }

  @Override
  public CalciteContextException newValidationError(
      SqlNode node, Resources.ExInst<SqlValidatorException> error) {
    if (node instanceof SqlIdentifier identifier) {
      StateSqlException unknown =
          new UnknownName(reader, namespaces.values()).explain(identifier, error.str());
      if (unknown != null) {
        return Positions.of(node.getParserPosition(), unknown);
      }
    }
    return super.newValidationError(node, error);
  }

  private static RuntimeException atPosition(SqlNode node, StateSqlException cause) {
    return Positions.at(node.getParserPosition(), cause);
  }
}
