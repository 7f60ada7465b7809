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
import io.statesql.format.keygroup.HeapBackend;
import io.statesql.job.JobProject;
import io.statesql.job.ShopSources;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.typeutils.runtime.kryo.JavaSerializer;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values that are Java-serialized: by Kryo, and by Flink's own serializer of such. */
class JavaSerializedTest {
  private static final String TEXT = "{\"price\":1.25,\"name\":\"pen\"}";

  @TempDir private Path folder;
  private JobProject job;

  @BeforeEach
  void compileJob() throws Exception {
    job =
        JobProject.compile(
            folder.resolve("shop.jar"),
            ShopSources.replacing(
                "shop.Item",
                "public class Item {",
                "public class Item implements java.io.Serializable {"
                    + " java.math.BigDecimal price = new java.math.BigDecimal(\"1.25\");"));
  }

  @AfterEach
  void closeJob() {
    job.close();
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class that only the job has
  private TypeSerializer<Object> byKryo() throws ClassNotFoundException {
    Class<Object> item = (Class<Object>) job.type("shop.Item");
    SerializerConfigImpl config = new SerializerConfigImpl();
    config.registerTypeWithKryoSerializer(item, (Class) JavaSerializer.class);
    return new KryoSerializer<>(item, config);
  }

  /** That of Flink's runtime, which only Flink itself can make. */
  @SuppressWarnings("unchecked")
  private static TypeSerializer<Object> byFlink() throws ReflectiveOperationException {
    var constructor =
        Class.forName("org.apache.flink.runtime.state.JavaSerializer").getDeclaredConstructor();
    constructor.setAccessible(true);
    return (TypeSerializer<Object>) constructor.newInstance();
  }

  private Path write(TypeSerializer<Object> serializer) throws Exception {
    return job.within(
        () -> {
          try (HeapBackend<String> backend =
              new HeapBackend<>(
                  StringSerializer.INSTANCE, 8, UncompressedStreamCompressionDecorator.INSTANCE)) {
            backend
                .state(
                    "ada",
                    VoidNamespace.INSTANCE,
                    VoidNamespaceSerializer.INSTANCE,
                    new ValueStateDescriptor<>("item", serializer))
                .update(job.make("shop.Item", "pen"));
            return Path.of(
                backend
                    .write(folder.resolve("snapshot"), backend.canonicalSnapshot())
                    .folder()
                    .getPath());
          }
        });
  }

  @Test
  void anObjectThatKryoGivesToJavaIsRead() throws Exception {
    assertThat(rows(write(byKryo()), ";jars=" + job.jar())).containsExactly("ada, " + TEXT);
  }

  @Test
  void anObjectOfFlinksOwnJavaSerializerIsRead() throws Exception {
    assertThat(rows(write(byFlink()), ";jars=" + job.jar()))
        .containsExactly("ada, " + TEXT.replace("{", "{\"@class\":\"shop.Item\","));
  }

  @Test
  void withoutTheJarTheyAreBytes() throws Exception {
    for (TypeSerializer<Object> serializer : List.of(byKryo(), byFlink())) {
      assertThat(rows(write(serializer), "")).singleElement().asString().contains("aced0005");
    }
  }

  private List<String> rows(Path snapshot, String options) throws SQLException {
    try (Connection connection =
        DriverManager.getConnection("jdbc:statesql:snapshot=" + snapshot + options)) {
      return StateSqlAssert.on(connection)
          .sql("SELECT state_key, state_value FROM " + KeyLookupTest.table(connection, "item"))
          .rows();
    }
  }
}
