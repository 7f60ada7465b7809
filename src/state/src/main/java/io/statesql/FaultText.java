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
package io.statesql;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.regex.Pattern;

/** Puts what the JDK or a library says of a failure into words for a user. */
public final class FaultText {
  /** The class of a cause, as it stands before the cause's own message. */
  private static final Pattern CLASS = Pattern.compile("^(?:[\\w$]+\\.)+[\\w$]+:\\s*");

  private FaultText() {}

  /**
   * The reason for a failure as the end of a sentence: one line, without names of exceptions and
   * without the full stop.
   */
  public static String of(Throwable failure) {
    if (failure instanceof FileSystemException file) {
      return ofFile(file);
    }
    String message = failure.getMessage();
    String line = message == null ? "" : message.lines().findFirst().orElse("").strip();
    String bare = CLASS.matcher(line).replaceFirst("");
    while (!bare.equals(line)) {
      line = bare;
      bare = CLASS.matcher(line).replaceFirst("");
    }
    if (line.endsWith(".")) {
      line = line.substring(0, line.length() - 1);
    }
    return line.isEmpty() ? "no reason is known" : line;
  }

  /** Messages of these exceptions are mostly the name of the file alone. */
  private static String ofFile(FileSystemException failure) {
    String file = String.valueOf(failure.getFile());
    if (failure instanceof NoSuchFileException) {
      return file + " does not exist";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return file + " exists already";
    }
    if (failure instanceof AccessDeniedException) {
      return file + " may not be accessed by this user";
    }
    return failure.getReason() == null ? file + " fails" : file + ": " + failure.getReason();
  }
}
