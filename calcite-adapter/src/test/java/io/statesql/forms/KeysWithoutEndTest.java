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
package io.statesql.forms;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.StateSqlAssert;
import io.statesql.edit.CustomSerializer;
import io.statesql.forms.KeyedForms.Form;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys by a serializer of the job's own, whose end only its class knows. */
class KeysWithoutEndTest {
  @TempDir private Path folder;

  /** In heap layout nothing of the operator can be read: its keys stand amid the entries. */
  @ParameterizedTest
  @EnumSource(names = {"CANONICAL", "ROCKSDB"})
  void noKeyThatAMapAloneMayHaveIsMissingFromKeyedState(Form form) throws Exception {
    Path snapshot =
        KeyedForms.write(
            folder, form, new CustomSerializer(new byte[] {7}), List.of(1L, 22L, 333L));
    try (Connection connection =
        DriverManager.getConnection("jdbc:statesql:snapshot=" + snapshot)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      String total = KeyLookupTest.table(connection, "total");
      sql.sql("SELECT state_key, state_value FROM " + total + " ORDER BY 2")
          .returns("000131, 0", "00023232, 1", "0003333333, 2");

      String operator = total.substring(0, total.indexOf('.'));
      String reason = "where its key ends cannot be found";
      for (String columns : List.of("*", "total", "COUNT(*)")) {
        sql.sql("SELECT " + columns + " FROM " + operator + ".keyed_state")
            .throwsSql("58S02", "State \"parts\" of operator", reason);
      }
      assertThat(
              sql.sql("SELECT table_name, reason FROM sys.states WHERE state_name = 'parts'")
                  .rows())
          .singleElement()
          .asString()
          .startsWith("null, " + reason);
    }
  }
}
