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
import io.statesql.forms.KeyedForms.Form;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.base.EnumSerializer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys of which only the job's classes know the hash code are looked for in all key groups. */
class KeysWithoutHashTest {
  private static final String LAST =
      "SELECT key_groups, entries, scanned_rows FROM sys.last_statement";

  @TempDir private Path folder;

  /** A key of a job. */
  public static final class Place {
    public String town = "";
    public int number;

    static Place of(int number) {
      Place place = new Place();
      place.town = "town " + number % 10;
      place.number = number;
      return place;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Place place && town.equals(place.town) && number == place.number;
    }

    @Override
    public int hashCode() {
      return 31 * town.hashCode() + number;
    }
  }

  /** RocksDB looks for the bytes in each key group; other forms compare those of each key. */
  @ParameterizedTest
  @EnumSource
  void theBytesOfAnEnumAreLookedForInAllKeyGroups(Form form) throws Exception {
    List<TimeUnit> units = List.of(TimeUnit.values());
    Path snapshot = KeyedForms.write(folder, form, new EnumSerializer<>(TimeUnit.class), units);
    try (Connection connection = connect(snapshot)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      String query = "SELECT state_value FROM " + KeyLookupTest.table(connection, "total");
      sql.sql(query + " WHERE state_key = 'MINUTES'")
          .explainContains(
              "access=[full]", "condition=[state_key = 'MINUTES']", "keyGroups=[8 of 8]")
          .returns(String.valueOf(units.indexOf(TimeUnit.MINUTES)));
      // A key group of RocksDB counts as read where something was found.
      assertThat(sql.sql(LAST).rows().get(0))
          .isEqualTo(isSorted(form) ? "1, 1, 1" : "8, " + entries(form, units.size()) + ", 1");

      sql.sql(query + " WHERE state_key = 'YEARS'").returns();
      assertThat(sql.sql(LAST).rows().get(0)).endsWith(", 0");
    }
  }

  /** A subclass may have more fields: no bytes tell that a POJO is not the one asked for. */
  @ParameterizedTest
  @EnumSource
  void pojosAreAllReadAndTested(Form form) throws Exception {
    List<Place> places = IntStream.range(0, 50).mapToObj(Place::of).toList();
    Path snapshot =
        KeyedForms.write(
            folder,
            form,
            Types.POJO(Place.class).createSerializer(new SerializerConfigImpl()),
            places);
    try (Connection connection = connect(snapshot)) {
      StateSqlAssert sql = StateSqlAssert.on(connection);
      sql.sql(
              "SELECT state_value FROM "
                  + KeyLookupTest.table(connection, "total")
                  + " WHERE state_key_town = 'town 7' AND state_key_number = 17")
          .explainContains("access=[full]", "keyTest=")
          .returns("17");
      assertThat(sql.sql(LAST).rows().get(0))
          .isEqualTo("8, " + (isSorted(form) ? 50 : entries(form, 50)) + ", 1");
    }
  }

  private static Connection connect(Path snapshot) throws Exception {
    return DriverManager.getConnection("jdbc:statesql:snapshot=" + snapshot);
  }

  private static boolean isSorted(Form form) {
    return form == Form.ROCKSDB || form == Form.ROCKSDB_RESCALED;
  }

  /** Of both states: each map entry, or in heap form each map. */
  private static int entries(Form form, int keys) {
    return keys * (form == Form.HEAP ? 2 : 1 + KeyedForms.PARTS);
  }
}
