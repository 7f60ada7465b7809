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

import io.statesql.forms.KeyedForms.Form;
import io.statesql.job.JobProject;
import io.statesql.job.ShopSources;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * Keys of classes of a shop's job, in a folder of a test: snapshots with them, connections that
 * change these, and what Flink finds then.
 */
public record JobKeys(Path folder, JobProject job) implements AutoCloseable {
  /** How many keys a snapshot has. */
  static final int COUNT = 10;

  /** Makes the key of a number. */
  @FunctionalInterface
  interface Maker {
    Object make(int number) throws Exception;
  }

  /** Compiles the job into {@code shop.jar} in a folder. */
  public static JobKeys in(Path folder) throws Exception {
    return new JobKeys(folder, JobProject.compile(folder.resolve("shop.jar"), ShopSources.all()));
  }

  /** The serializer that Flink has for a class of the job, or of Java. */
  TypeSerializer<Object> serializer(String className) throws ClassNotFoundException {
    @SuppressWarnings("unchecked")
    TypeInformation<Object> type =
        (TypeInformation<Object>) TypeInformation.of(job.type(className));
    return type.createSerializer(new SerializerConfigImpl());
  }

  Object place(String town, int number) throws ReflectiveOperationException {
    return job.make("shop.Place", town, number);
  }

  /** A snapshot of {@code town 0} to {@code town 9}, whose numbers and totals are the same. */
  Path writePlaces(Form form) throws Exception {
    return write(form, serializer("shop.Place"), number -> place("town " + number, number));
  }

  /** The key of a seat, which Kryo writes. */
  public Object ticket(String code, int seat) throws ReflectiveOperationException {
    return job.make("shop.Ticket", code, seat, LocalDate.of(2026, 3, 1));
  }

  /** A snapshot of tickets {@code row 0} to {@code row 9}, whose seats and totals are the same. */
  public Path writeTickets() throws Exception {
    return writeTickets(Form.CANONICAL);
  }

  Path writeTickets(Form form) throws Exception {
    return write(form, serializer("shop.Ticket"), seat -> ticket("row " + seat, seat));
  }

  /** A snapshot whose keys have their numbers as totals, from 0. */
  @SuppressWarnings("unchecked") // keys are what their serializer writes
  <K> Path write(Form form, TypeSerializer<K> keys, Maker maker) throws Exception {
    return job.within(
        () -> {
          List<K> made = new ArrayList<>();
          for (int i = 0; i < COUNT; i++) {
            made.add((K) maker.make(i));
          }
          return KeyedForms.write(folder, form, keys, made);
        });
  }

  Connection connect(Path snapshot) throws SQLException {
    return connect(snapshot, job);
  }

  Connection connect(Path snapshot, JobProject jars) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:statesql:snapshot=" + snapshot + ";jars=" + jars.jar() + ";commitTo=" + edits());
  }

  /** What Flink finds for a key when it restores what was committed; null for nothing. */
  <K> Long restoredTotal(Form form, TypeSerializer<K> keys, K key) throws Exception {
    return job.within(() -> RestoredTotals.of(folder, edits(), form, keys, key));
  }

  private Path edits() {
    return folder.resolve("edits");
  }

  @Override
  public void close() {
    job.close();
  }
}
