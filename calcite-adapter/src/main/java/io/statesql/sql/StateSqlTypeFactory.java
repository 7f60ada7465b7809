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

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Makes the types of {@link StateSqlTypeSystem}: text is UTF-8, and {@code DECIMAL} alone is the
 * unbounded one.
 */
public final class StateSqlTypeFactory extends JavaTypeFactoryImpl {
  public StateSqlTypeFactory() {
    super(StateSqlTypeSystem.INSTANCE);
  }

  @Override
  public Charset getDefaultCharset() {
    return StandardCharsets.UTF_8;
  }

  @Override
  public RelDataType createSqlType(SqlTypeName typeName) {
    return typeName == SqlTypeName.DECIMAL ? unboundedDecimal() : super.createSqlType(typeName);
  }

  /** With three digits of a second: Calcite prints no fraction of an interval that has six. */
  @Override
  public RelDataType createSqlIntervalType(SqlIntervalQualifier qualifier) {
    TimeUnit last =
        qualifier.getEndUnit() == null ? qualifier.getStartUnit() : qualifier.getEndUnit();
    boolean finer =
        last == TimeUnit.SECOND
            && qualifier.getFractionalSecondPrecision(typeSystem)
                > StateSqlTypeSystem.DATETIME_PRECISION;
    return super.createSqlIntervalType(
        finer
            ? new SqlIntervalQualifier(
                qualifier.getStartUnit(),
                qualifier.getStartPrecisionPreservingDefault(),
                qualifier.getEndUnit(),
                StateSqlTypeSystem.DATETIME_PRECISION,
                qualifier.getParserPosition())
            : qualifier);
  }

  @Override
  public RelDataType leastRestrictive(List<RelDataType> types, SqlTypeMappingRule mappingRule) {
    RelDataType common = super.leastRestrictive(types, mappingRule);
    if (common != null
        && types.stream().anyMatch(type -> type.getSqlTypeName() == SqlTypeName.UNKNOWN)) {
      return ParameterTypes.of(common, this);
    }
    // A capped precision means that Calcite gave up digits of one of the types.
    return common != null
            && common.getSqlTypeName() == SqlTypeName.DECIMAL
            && common.getPrecision() == StateSqlTypeSystem.MAX_DECIMAL_PRECISION
        ? createTypeWithNullability(unboundedDecimal(), common.isNullable())
        : common;
  }

  private RelDataType unboundedDecimal() {
    return createSqlType(
        SqlTypeName.DECIMAL,
        StateSqlTypeSystem.MAX_DECIMAL_PRECISION,
        StateSqlTypeSystem.MAX_DECIMAL_SCALE);
  }
}
