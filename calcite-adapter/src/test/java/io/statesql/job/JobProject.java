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

import java.io.Closeable;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.apache.flink.api.common.functions.Function;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.types.Value;

/**
 * The source of a job, compiled into a jar. Its classes are nowhere on the class path of the tests:
 * a test that writes state loads them by {@link #type} and works {@link #within} the job, and what
 * StateSQL reads it can read by that jar alone.
 */
public final class JobProject implements Closeable {
  private final Path jar;
  private final URLClassLoader loader;

  private JobProject(Path jar) throws IOException {
    this.jar = jar;
    this.loader =
        new URLClassLoader(new URL[] {jar.toUri().toURL()}, JobProject.class.getClassLoader());
  }

  /**
   * Compiles sources.
   *
   * @param jar the file to make
   * @param sources by the full names of their classes
   */
  public static JobProject compile(Path jar, Map<String, String> sources) throws IOException {
    Path classes = Files.createTempDirectory(jar.getParent(), "classes");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<JavaFileObject> files = new ArrayList<>();
    sources.forEach((name, text) -> files.add(new Source(name, text)));
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of("-d", classes.toString(), "-cp", classPath(), "-proc:none", "-nowarn");
    if (!compiler.getTask(messages, null, null, options, null, files).call()) {
      throw new IllegalArgumentException(messages.toString());
    }
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> made = Files.walk(classes)) {
      for (Path file : made.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
    return new JobProject(jar);
  }

  /** Flink's types, which the sources use. */
  private static String classPath() {
    return Stream.of(
            TypeSerializer.class,
            Value.class,
            KeyedProcessFunction.class,
            Function.class,
            org.apache.flink.annotation.Public.class)
        .map(JobProject::location)
        .distinct()
        .reduce((one, other) -> one + System.getProperty("path.separator") + other)
        .orElseThrow();
  }

  private static String location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The jar with its classes. */
  public Path jar() {
    return jar;
  }

  /** A class of the job. */
  public Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName(name, true, loader);
  }

  /** An object of a class of the job, by its only constructor of so many arguments. */
  public Object make(String name, Object... arguments) throws ReflectiveOperationException {
    for (var constructor : type(name).getConstructors()) {
      if (constructor.getParameterCount() == arguments.length) {
        return constructor.newInstance(arguments);
      }
    }
    throw new NoSuchMethodException(name);
  }

  /** Does something as a thread of the job does. */
  public <T> T within(Callable<T> action) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return action.call();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Override
  public void close() {
    try {
      loader.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String className, String text) {
      super(URI.create("string:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
