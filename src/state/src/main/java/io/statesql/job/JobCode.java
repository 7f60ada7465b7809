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

import io.statesql.StateSqlException;
import io.statesql.type.UnwritableValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs code of the job as Flink does, with the job's class loader as that of the thread. Whatever
 * it throws, errors of linking, of initialization and of the stack among it, becomes a {@link
 * JobCodeException}. Safe for use by many threads.
 *
 * @param loader has the job's classes
 * @param jars how messages name where they come from
 */
record JobCode(ClassLoader loader, String jars) {
  private static final int MAX_CAUSES = 20;
  private static final int MAX_LENGTH = 300;

  /** What {@code LinkedOptionalMap} (flink-core 2.3) says of a class that a snapshot names. */
  private static final Pattern ABSENT = Pattern.compile("Missing value for the key '([^']*)'.*");

  private static final String FAILED_BEFORE = "Could not initialize class ";

  /** Something that runs code of the job. */
  @FunctionalInterface
  interface Call<T> {
    @SuppressWarnings("checkstyle:IllegalThrows")
    T run() throws Throwable;
  }

  /**
   * Runs code of the job.
   *
   * @throws JobCodeException if it fails
   * @throws StateSqlException what our own code in the call says
   * @throws UnwritableValueException likewise
   * @throws OutOfMemoryError which concerns the whole process
   */
  <T> T run(Call<T> call) throws JobCodeException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return call.run();
    } catch (StateSqlException | UnwritableValueException | OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) {
      throw new JobCodeException(reason(e), e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private String reason(Throwable failure) {
    List<Throwable> causes = causes(failure);
    for (Throwable cause : causes) {
      if (cause instanceof ClassNotFoundException) {
        return missing(cause.getMessage());
      }
      if (cause instanceof ExceptionInInitializerError) {
        return "the class " + initialized(cause) + "cannot be initialized: " + root(causes);
      }
      if (cause instanceof NoClassDefFoundError) {
        String message = String.valueOf(cause.getMessage());
        return message.startsWith(FAILED_BEFORE)
            ? "the class "
                + message.substring(FAILED_BEFORE.length())
                + " cannot be initialized: "
                + root(causes)
            : missing(message.replace('/', '.'));
      }
      Matcher absent = ABSENT.matcher(String.valueOf(cause.getMessage()));
      if (cause instanceof IllegalStateException && absent.matches()) {
        return "the class "
            + absent.group(1)
            + ", which the job registered, or its serializer is not in "
            + jars
            + ": add the jar that has it";
      }
      if (cause instanceof StackOverflowError) {
        return "the code in " + jars + " overflowed the stack";
      }
    }
    return "the code in " + jars + " failed: " + root(causes);
  }

  private String missing(String className) {
    return "the class " + className + " is not in " + jars;
  }

  /** The class whose static initializer stands innermost in the trace, and a space. */
  private static String initialized(Throwable failure) {
    for (Throwable cause : causes(failure)) {
      for (StackTraceElement frame : cause.getStackTrace()) {
        if (frame.getMethodName().equals("<clinit>")) {
          return frame.getClassName() + " ";
        }
      }
    }
    return "";
  }

  private static String root(List<Throwable> causes) {
    String text = causes.get(causes.size() - 1).toString().lines().findFirst().orElse("").strip();
    return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text;
  }

  /** From the outside in; a chain that bites its tail ends. */
  private static List<Throwable> causes(Throwable failure) {
    List<Throwable> causes = new ArrayList<>();
    for (Throwable cause = failure;
        cause != null && causes.size() < MAX_CAUSES;
        cause = cause.getCause()) {
      causes.add(cause);
    }
    return causes;
  }
}
