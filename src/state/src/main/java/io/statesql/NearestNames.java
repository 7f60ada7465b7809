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

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Finds the names that a user may have meant. */
public final class NearestNames {
  private static final int MAX_SUGGESTIONS = 3;

  /** A longer list of names is not searched: the message is not worth the time. */
  private static final int MAX_CANDIDATES = 10_000;

  private NearestNames() {}

  /**
   * The end of an error message: {@code "; did you mean "a" or "b"?"}, or {@code "."} when no name
   * is near.
   *
   * @param names what exists
   */
  public static String suggestion(String wanted, Collection<String> names) {
    List<String> nearest = nearest(wanted, names);
    return nearest.isEmpty()
        ? "."
        : nearest.stream()
            .map(NearestNames::quote)
            .collect(Collectors.joining(" or ", "; did you mean ", "?"));
  }

  /**
   * The nearest names first: at most three, none that differs in more than a third of its letters
   * unless it contains the other.
   */
  public static List<String> nearest(String wanted, Collection<String> names) {
    record Candidate(String name, int distance) {}
    if (names.size() > MAX_CANDIDATES) {
      return List.of();
    }
    String lowerWanted = wanted.toLowerCase(Locale.ROOT);
    var candidates = new ArrayList<Candidate>();
    for (String name : names) {
      String lowerName = name.toLowerCase(Locale.ROOT);
      int limit = Math.max(1, Math.max(lowerWanted.length(), lowerName.length()) / 3);
      int distance = distance(lowerWanted, lowerName);
      if (distance <= limit || containsEither(lowerWanted, lowerName)) {
        candidates.add(new Candidate(name, distance));
      }
    }
    return candidates.stream()
        .sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
        .map(Candidate::name)
        .distinct()
        .limit(MAX_SUGGESTIONS)
        .toList();
  }

  /** Quotes an identifier as SQL does. */
  public static String quote(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private static boolean containsEither(String a, String b) {
    return Math.min(a.length(), b.length()) >= 3 && (a.contains(b) || b.contains(a));
  }

  /** Levenshtein's distance. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitution = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(substitution, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
