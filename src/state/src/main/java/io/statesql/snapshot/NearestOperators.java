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
package io.statesql.snapshot;

import static java.util.stream.Collectors.joining;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** What to tell someone who named an operator that is not there. */
final class NearestOperators {
  private static final int SHOWN = 5;
  private static final int COMPARED_CHARS = 200;

  private NearestOperators() {}

  /** The end of a sentence: the operators whose uid, name or id is nearest to a text. */
  static String describe(String wanted, List<OperatorState> operators) {
    if (operators.isEmpty()) {
      return "it holds no operators.";
    }
    String nearest =
        operators.stream()
            .sorted(Comparator.comparingInt(operator -> distance(wanted, operator)))
            .limit(SHOWN)
            .map(NearestOperators::describe)
            .collect(joining(", "));
    if (operators.size() <= SHOWN) {
      return "it holds " + nearest + ".";
    }
    return "the nearest of its " + operators.size() + " operators are " + nearest + ".";
  }

  private static String describe(OperatorState operator) {
    String quoted = "\"" + operator.uidOrId() + "\"";
    return operator.name() == null ? quoted : quoted + " (" + operator.name() + ")";
  }

  private static int distance(String wanted, OperatorState operator) {
    int byUid = distance(wanted, operator.uidOrId());
    return operator.name() == null ? byUid : Math.min(byUid, distance(wanted, operator.name()));
  }

  private static int distance(String wanted, String name) {
    return LevenshteinDistance.getDefaultInstance().apply(comparable(wanted), comparable(name));
  }

  /** Case does not count, nor do the ends of long texts: the distance takes quadratic time. */
  private static String comparable(String text) {
    return text.substring(0, Math.min(text.length(), COMPARED_CHARS)).toLowerCase(Locale.ROOT);
  }
}
