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
package io.statesql.sql;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds out of Calcite's failures the SQL function that it could not run. */
final class UnrunnableCalls {
  /** How messages name a call, an aggregate or the method that a call would become. */
  private static final Pattern NAMED =
      Pattern.compile(
          "cannot translate call (\\w+)|implementation for aggregate (\\w+)|(?:Sql|Json|Compression)Functions\\.(\\w+)\\(",
          Pattern.DOTALL);

  /** Of failures and their causes that are looked at. */
  private static final int MOST = 100;

  private UnrunnableCalls() {}

  /** Why there is no code for a plan. */
  static String reason(Throwable failure) {
    String function = search(failure);
    return function == null
        ? "This query is of a form that cannot be run."
        : "This query is of a form that cannot be run: %s does not take these arguments."
            .formatted(function);
  }

  private static @Nullable String search(Throwable failure) {
    Deque<Throwable> open = new ArrayDeque<>();
    open.add(failure);
    for (int seen = 0; seen < MOST && !open.isEmpty(); seen++) {
      Throwable next = open.remove();
      Matcher named = NAMED.matcher(String.valueOf(next.getMessage()));
      // The plan itself is in the message of the first.
      if (next != failure && named.find()) {
        return named.group(3) == null
            ? (named.group(1) == null ? named.group(2) : named.group(1))
            : sqlName(named.group(3));
      }
      open.addAll(Arrays.asList(next.getSuppressed()));
      if (next.getCause() != null) {
        open.add(next.getCause());
      }
    }
    return null;
  }

  /** The SQL function whose method threw something. */
  static String function(Throwable thrown) {
    return Arrays.stream(thrown.getStackTrace())
        .filter(
            frame ->
                frame.getClassName().matches("org\\.apache\\.calcite\\.runtime\\.\\w+Functions"))
        .reduce((inner, outer) -> outer)
        .map(frame -> sqlName(frame.getMethodName()))
        .orElse("of the statement");
  }

  /** Of a method: {@code jsonDepth} is JSON_DEPTH. */
  private static String sqlName(String method) {
    return method.replaceAll("(?<=[a-z0-9])([A-Z])", "_$1").toUpperCase(Locale.ROOT);
  }
}
