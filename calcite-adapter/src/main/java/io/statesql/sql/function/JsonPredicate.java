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
package io.statesql.sql.function;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * IS JSON: whether a text is one JSON value, however deep, and of which kind. Reads token by token;
 * Calcite's own makes objects, as deep as its library likes, and sees no further than the first
 * value.
 */
public final class JsonPredicate {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private static final Map<SqlOperator, SqlOperator> OF_SQL =
      Map.of(
          SqlStdOperatorTable.IS_JSON_VALUE, predicate("IS JSON VALUE", "isValue"),
          SqlStdOperatorTable.IS_JSON_OBJECT, predicate("IS JSON OBJECT", "isObject"),
          SqlStdOperatorTable.IS_JSON_ARRAY, predicate("IS JSON ARRAY", "isArray"),
          SqlStdOperatorTable.IS_JSON_SCALAR, predicate("IS JSON SCALAR", "isScalar"),
          SqlStdOperatorTable.IS_NOT_JSON_VALUE, predicate("IS NOT JSON VALUE", "isNoValue"),
          SqlStdOperatorTable.IS_NOT_JSON_OBJECT, predicate("IS NOT JSON OBJECT", "isNoObject"),
          SqlStdOperatorTable.IS_NOT_JSON_ARRAY, predicate("IS NOT JSON ARRAY", "isNoArray"),
          SqlStdOperatorTable.IS_NOT_JSON_SCALAR, predicate("IS NOT JSON SCALAR", "isNoScalar"));

  private JsonPredicate() {}

  private static SqlOperator predicate(String name, String method) {
    return EngineFunction.of(name, JsonPredicate.class, method, SqlTypeName.BOOLEAN);
  }

  /** The operator that stands for one of SQL; null for all others. */
  public static @Nullable SqlOperator of(SqlOperator operator) {
    return OF_SQL.get(operator);
  }

  /** Called by generated code. */
  public static Boolean isValue(String text) {
    return text == null ? null : (Boolean) (first(text) != null);
  }

  /** Called by generated code. */
  public static Boolean isObject(String text) {
    return text == null ? null : (Boolean) (first(text) == JsonToken.START_OBJECT);
  }

  /** Called by generated code. */
  public static Boolean isArray(String text) {
    return text == null ? null : (Boolean) (first(text) == JsonToken.START_ARRAY);
  }

  /** Called by generated code. */
  public static Boolean isScalar(String text) {
    if (text == null) {
      return null;
    }
    JsonToken first = first(text);
    return first != null && first.isScalarValue();
  }

  /** Called by generated code. */
  public static Boolean isNoValue(String text) {
    return not(isValue(text));
  }

  /** Called by generated code. */
  public static Boolean isNoObject(String text) {
    return not(isObject(text));
  }

  /** Called by generated code. */
  public static Boolean isNoArray(String text) {
    return not(isArray(text));
  }

  /** Called by generated code. */
  public static Boolean isNoScalar(String text) {
    return not(isScalar(text));
  }

  private static Boolean not(Boolean value) {
    return value == null ? null : (Boolean) !value;
  }

  /** The token that the value begins with; null of a text that is not one JSON value. */
  private static @Nullable JsonToken first(String text) {
    try (JsonParser parser = JSON.createParser(text)) {
      JsonToken first = parser.nextToken();
      parser.skipChildren();
      return parser.nextToken() == null ? first : null;
    } catch (JsonProcessingException notJson) {
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException("a text in memory could not be read", e);
    }
  }
}
