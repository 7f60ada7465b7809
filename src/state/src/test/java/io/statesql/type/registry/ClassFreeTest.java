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
package io.statesql.type.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.type.Shop;
import io.statesql.type.Stored;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.junit.jupiter.api.Test;

/** Reads in a class loader that has neither the job's classes nor any of Flink's. */
class ClassFreeTest {

  @Test
  void readsPojosWhereTheirClassesAreMissing() throws Exception {
    SerializerConfigImpl config = new SerializerConfigImpl();
    config.registerPojoType(Shop.Dog.class);
    TypeSerializer<Shop.Animal> serializer =
        TypeInformation.of(Shop.Animal.class).createSerializer(config);
    Shop.Dog dog = new Shop.Dog();
    dog.breed = "Collie";
    byte[] snapshot = Stored.snapshot(serializer);
    byte[] value = Stored.value(serializer, dog);
    try (URLClassLoader loader = withoutJobAndFlink()) {
      for (String absent :
          List.of(
              "io.statesql.type.Shop",
              "org.apache.flink.types.Row",
              "org.apache.flink.types.Either")) {
        assertThatThrownBy(() -> loader.loadClass(absent))
            .isInstanceOf(ClassNotFoundException.class);
      }
      Class<?> input = loader.loadClass("io.statesql.type.StateInput");
      Class<?> context = loader.loadClass("io.statesql.type.serializer.SerializerContext");
      Class<?> kryo = loader.loadClass("io.statesql.type.serializer.KryoVersion");
      Object flink2 =
          context
              .getMethod("of", kryo)
              .invoke(null, kryo.getMethod("ofMetadata", int.class).invoke(null, 6));
      Object stored =
          loader
              .loadClass("io.statesql.type.registry.StoredSerializers")
              .getMethod("read", input, context)
              .invoke(
                  null, input.getConstructor(byte[].class).newInstance((Object) snapshot), flink2);
      Object codec = stored.getClass().getMethod("codec").invoke(stored);
      Object read =
          loader
              .loadClass("io.statesql.type.Codec")
              .getMethod("read", input)
              .invoke(codec, input.getConstructor(byte[].class).newInstance((Object) value));
      assertThat((Object[]) read)
          .containsExactly("io.statesql.type.Shop$Dog", null, null, 0, null, "Collie", null, null);
    }
  }

  private static URLClassLoader withoutJobAndFlink() {
    URL[] urls =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(ClassFreeTest::isProduction)
            .map(path -> toUrl(path.toUri()))
            .toArray(URL[]::new);
    return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
  }

  private static boolean isProduction(Path path) {
    String name = path.getFileName().toString();
    return Files.exists(path) && !name.equals("test-classes") && !name.startsWith("flink-");
  }

  private static URL toUrl(URI uri) {
    try {
      return uri.toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }
}
