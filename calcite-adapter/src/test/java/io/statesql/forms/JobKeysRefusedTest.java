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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.forms.KeyedForms.Form;
import io.statesql.job.JobProject;
import io.statesql.job.ShopSources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.EnumSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** New keys whose key group nobody can know, or not with these jars. */
class JobKeysRefusedTest {
  private static final String INSERT =
      "INSERT INTO %s (state_key_town, state_key_number, state_value) VALUES ('Chur', %d, 77)";

  @TempDir private Path folder;
  private JobKeys keys;

  @BeforeEach
  void compileJob() throws Exception {
    keys = JobKeys.in(folder);
  }

  @AfterEach
  void closeJob() {
    keys.close();
  }

  @Test
  void withoutTheJarANewKeyIsRefused() throws Exception {
    Path snapshot = keys.writePlaces(Form.CANONICAL);
    try (Connection connection = DriverManager.getConnection("jdbc:statesql:snapshot=" + snapshot);
        Statement statement = connection.createStatement()) {
      String insert = INSERT.formatted(KeyLookupTest.table(connection, "total"), 1);
      assertThatThrownBy(() -> statement.executeUpdate(insert))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22000"))
          .hasMessageContaining("without the job's jar (the connection property 'jars')");
    }
  }

  @Test
  void aClassWithoutAHashCodeOfItsOwnIsRefused() throws Exception {
    assertRefused(
        keys.writePlaces(Form.CANONICAL),
        replacingHash("int hash() {"),
        "the class shop.Place does not override hashCode");
  }

  /** An array hashes as an object of its own, an enum constant too. */
  @Test
  void aHashCodeThatDiffersBetweenProcessesIsRefused() throws Exception {
    Path snapshot = keys.writePlaces(Form.CANONICAL);
    assertRefused(
        snapshot,
        replacingHash(
            "@Override public int hashCode() { return Status.PAID.hashCode(); } int h() {"),
        "is another one in each process");
    assertRefused(
        snapshot,
        replacingHash(
            "@Override public int hashCode() { return new int[1].hashCode(); } int h() {"),
        "is another one in each process");
  }

  @Test
  void aClassOfAnotherVersionIsRefused() throws Exception {
    Path snapshot = keys.writePlaces(Form.CANONICAL);
    assertRefused(
        snapshot,
        replacingHash("@Override public int hashCode() { return 3 * number; } int h() {"),
        "the job's keys have another hash code");
    assertRefused(
        snapshot,
        replacingHash(
            "@Override public int hashCode() { throw new IllegalStateException(); } int h() {"),
        "the code in changed");
    assertRefused(
        snapshot,
        JobProject.compile(
            folder.resolve("other.jar"),
            Map.of("other.Other", "package other; public class Other {}")),
        "the class shop.Place is not in other.jar");
  }

  @Test
  void anEnumIsRefused() throws Exception {
    @SuppressWarnings({"unchecked", "rawtypes"})
    TypeSerializer<Object> statuses =
        (TypeSerializer) new EnumSerializer(keys.job().type("shop.Status"));
    Object open = keys.job().type("shop.Status").getEnumConstants()[0];
    Path snapshot =
        keys.job().within(() -> KeyedForms.write(folder, Form.CANONICAL, statuses, List.of(open)));
    try (Connection connection = keys.connect(snapshot);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      assertThatThrownBy(
              () ->
                  statement.executeUpdate(
                      "INSERT INTO " + table + " (state_key, state_value) VALUES ('PAID', 1)"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("the enum shop.Status has another hash code in each process");
    }
  }

  private JobProject replacingHash(String method) throws Exception {
    return JobProject.compile(
        Files.createTempFile(folder, "changed", ".jar"),
        ShopSources.replacing("shop.Place", "@Override public int hashCode() {", method));
  }

  private void assertRefused(Path snapshot, JobProject given, String reason) throws Exception {
    try (given;
        Connection connection = keys.connect(snapshot, given);
        Statement statement = connection.createStatement()) {
      String table = KeyLookupTest.table(connection, "total");
      assertThatThrownBy(() -> statement.executeUpdate(INSERT.formatted(table, 1)))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22000"))
          .hasMessageContaining(reason);
      assertThat(
              statement.executeUpdate(
                  "UPDATE " + table + " SET state_value = 1 WHERE state_key_number = 1"))
          .isOne();
    }
  }
}
