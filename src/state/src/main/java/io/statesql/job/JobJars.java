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
package io.statesql.job;

import io.statesql.ErrorCode;
import io.statesql.FaultText;
import io.statesql.StateSqlException;
import io.statesql.type.Codec;
import io.statesql.type.KeyHash;
import io.statesql.type.ObjectCodec;
import io.statesql.type.StateInput;
import io.statesql.type.serializer.JobClasses;
import io.statesql.type.serializer.MissingJobClassException;
import java.io.Closeable;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.java.typeutils.TypeExtractor;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.util.ChildFirstClassLoader;
import org.apache.flink.util.FlinkUserCodeClassLoader;

/**
 * The jars of a job. Their classes are loaded as Flink loads those of a job: Flink's own classes,
 * Kryo's and Java's from this process where it has them, all others from the jars first. So a jar
 * may hold other versions of what this process uses. Nothing is loaded before a value or a key
 * needs it. Safe for use by many threads; whoever opened it closes it, after its last reader.
 */
public final class JobJars implements JobClasses, Closeable {
  private static final int MOST_NAMES = 3;

  private final List<URLClassLoader> loaders = new ArrayList<>();
  private final List<JobCode> codes = new ArrayList<>();
  private final String names;
  private final RestoredSerializers restored = new RestoredSerializers();

  private JobJars(List<Path> jars) {
    this.names = names(jars);
    URL[] urls = jars.stream().map(JobJars::url).toArray(URL[]::new);
    String[] parentFirst = CoreOptions.getParentFirstLoaderPatterns(new Configuration());
    // The second one serves to see which hash codes depend on the process.
    for (int i = 0; i < 2; i++) {
      URLClassLoader loader =
          new ChildFirstClassLoader(
              urls,
              JobJars.class.getClassLoader(),
              parentFirst,
              FlinkUserCodeClassLoader.NOOP_EXCEPTION_HANDLER);
      loaders.add(loader);
      codes.add(new JobCode(loader, names));
    }
  }

  /**
   * Opens jars.
   *
   * @param jars paths of files on this machine
   * @return empty if there are none
   * @throws StateSqlException if one is not there, or is no jar
   */
  public static Optional<JobJars> open(List<String> jars) {
    if (jars.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new JobJars(jars.stream().map(JobJars::existing).toList()));
  }

  private static Path existing(String jar) {
    try {
      Path path = Path.of(jar);
      if (!Files.exists(path)) {
        throw new StateSqlException(
            ErrorCode.FILE_NOT_FOUND, "The jar " + jar + " does not exist.");
      }
      try (JarFile file = new JarFile(path.toFile())) {
        file.size();
      }
      return path.toAbsolutePath();
    } catch (IOException | InvalidPathException e) {
      throw new StateSqlException(
          ErrorCode.INVALID_ARGUMENT,
          "The jar " + jar + " cannot be read: " + FaultText.of(e) + ".",
          e);
    }
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException("a file has a URL", e);
    }
  }

  /** How messages name the jars. */
  private static String names(List<Path> jars) {
    String first =
        jars.stream()
            .limit(MOST_NAMES)
            .map(jar -> jar.getFileName().toString())
            .collect(Collectors.joining(", "));
    int more = jars.size() - MOST_NAMES;
    return more > 0 ? first + " and " + more + " more jars" : first;
  }

  @Override
  public ObjectCodec codec(StateInput snapshot) throws MissingJobClassException {
    return restored.get(snapshot, this::restore);
  }

  private ObjectCodec restore(StateInput snapshot) throws MissingJobClassException {
    try {
      JobSerializer serializer = JobSerializer.restore(codes.get(0), snapshot);
      return new JobCodec(
          serializer, "It is read by the job's own classes (" + names + ") and shown as JSON text");
    } catch (JobCodeException e) {
      throw new MissingJobClassException(e.getMessage(), e);
    }
  }

  @Override
  public byte[] subclassSnapshot(String className, String pojoClass)
      throws MissingJobClassException {
    JobCode code = codes.get(0);
    try {
      return code.run(() -> snapshotOf(code.loader(), className, pojoClass));
    } catch (JobCodeException e) {
      throw new MissingJobClassException(e.getMessage(), e);
    }
  }

  private static byte[] snapshotOf(ClassLoader loader, String className, String pojoClass)
      throws ClassNotFoundException, IOException {
    Class<?> type = Class.forName(className, false, loader);
    Class<?> pojo = Class.forName(pojoClass, false, loader);
    if (!pojo.isAssignableFrom(type)) {
      throw new ClassNotFoundException(className + " that extends " + pojoClass);
    }
    TypeSerializer<?> serializer =
        TypeExtractor.createTypeInfo(type).createSerializer(new SerializerConfigImpl());
    DataOutputSerializer out = new DataOutputSerializer(512);
    TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
    return out.getCopyOfBuffer();
  }

  @Override
  public KeyHash keyHash(byte[] snapshot, Codec codec) {
    return new JobKeyHash(codes, snapshot, codec);
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (URLClassLoader loader : loaders) {
      try {
        loader.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
