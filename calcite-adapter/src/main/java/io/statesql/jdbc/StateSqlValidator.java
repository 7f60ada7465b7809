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

import static org.apache.calcite.util.Static.RESOURCE;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.prepare.CalciteSqlValidator;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.Resources;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidatorException;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/**
 * Calcite's validator with our errors for unknown names, no silent loss in literals, and fewer
 * words that hide a column.
 */
final class StateSqlValidator extends CalciteSqlValidator {
  /**
   * Functions that an unquoted name without parentheses would call; {@code user} and the like are
   * columns here.
   */
  private static final Set<String> FUNCTIONS_WITHOUT_PARENTHESES =
      Set.of("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP");

  private static final int MAX_FRACTION_DIGITS = 3;

  private final StateSqlCatalogReader reader;

  StateSqlValidator(
      SqlOperatorTable operatorTable,
      StateSqlCatalogReader reader,
      JavaTypeFactory typeFactory,
      Config config) {
    super(operatorTable, reader, typeFactory, config);
    this.reader = reader;
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
    return super.performUnconditionalRewrites(WideYears.convert(node), underFrom);
  }

  /** Calcite would cut 2.5 to 2, and cannot run a number beyond INTEGER. */
  private static void requireRowCount(SqlNode count) {
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
          default -> "";
        };
    // These classes print a fraction without trailing zeros.
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
  public CalciteContextException newValidationError(
      SqlNode node, Resources.ExInst<SqlValidatorException> error) {
    if (node instanceof SqlIdentifier identifier) {
      StateSqlException unknown =
          new UnknownName(reader, namespaces.values()).explain(identifier, error.str());
      if (unknown != null) {
        return atPosition(node, unknown);
      }
    }
    return super.newValidationError(node, error);
  }

  private static CalciteContextException atPosition(SqlNode node, StateSqlException cause) {
    SqlParserPos pos = node.getParserPosition();
    return new CalciteContextException(
        RESOURCE.validatorContextPoint(pos.getLineNum(), pos.getColumnNum()).str(),
        cause,
        pos.getLineNum(),
        pos.getColumnNum(),
        pos.getEndLineNum(),
        pos.getEndColumnNum());
  }
}
