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
package org.apache.calcite.jdbc;

import io.statesql.jdbc.SqlErrors;
import io.statesql.type.DateTimeText;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.TimeZone;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;

/**
 * A result set whose failures are one sentence, and whose dates and times have the same text in
 * every time zone.
 */
final class StateSqlResultSet extends CalciteResultSet {
  StateSqlResultSet(
      AvaticaStatement statement,
      CalcitePrepare.CalciteSignature<?> signature,
      ResultSetMetaData metaData,
      TimeZone timeZone,
      Meta.Frame firstFrame)
      throws SQLException {
    super(statement, signature, metaData, timeZone, firstFrame);
  }

  @Override
  public boolean next() throws SQLException {
    return SqlErrors.<Boolean, SQLException>translating(super::next);
  }

  @Override
  public String getString(String columnLabel) throws SQLException {
    return getString(findColumn(columnLabel));
  }

  @Override
  public String getString(int columnIndex) throws SQLException {
    boolean known = columnIndex >= 1 && columnIndex <= columnMetaDataList.size();
    int type = known ? columnMetaDataList.get(columnIndex - 1).type.id : Types.NULL;
    return switch (type) {
      case Types.DATE, Types.TIME, Types.TIMESTAMP -> dateTime(columnIndex, type);
      default -> super.getString(columnIndex);
    };
  }

  private String dateTime(int columnIndex, int type) throws SQLException {
    long value = getLong(columnIndex);
    if (wasNull()) {
      return null;
    }
    return switch (type) {
      case Types.DATE -> DateTimeText.date((int) value);
      case Types.TIME -> DateTimeText.time((int) value);
      default -> DateTimeText.timestamp(value);
    };
  }
}
