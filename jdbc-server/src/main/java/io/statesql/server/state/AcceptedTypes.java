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
package io.statesql.server.state;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/** What content types a client takes, by its header {@code Accept} (RFC 9110, section 12.5.1). */
record AcceptedTypes(List<Range> ranges) {
  private static final String ANY = "*/*";

  /**
   * A range of types.
   *
   * @param type as {@code text/plain}, {@code text/*} or {@code *}{@code /*}, in lower case
   * @param quality from 0, not at all, to 1
   */
  record Range(String type, double quality) {
    /** How much of a type it names: 0 if the type is none of it. */
    int precision(String other) {
      if (type.equals(other)) {
        return 3;
      }
      if (type.endsWith("/*") && other.startsWith(type.substring(0, type.length() - 1))) {
        return 2;
      }
      return type.equals(ANY) ? 1 : 0;
    }
  }

  static AcceptedTypes of(Request request) {
    List<Range> ranges = new ArrayList<>();
    for (String line : request.getHeaders().getValuesList(HttpHeader.ACCEPT)) {
      for (String range : line.split(",", -1)) {
        if (!range.isBlank()) {
          ranges.add(range(range));
        }
      }
    }
    return new AcceptedTypes(ranges.isEmpty() ? List.of(new Range(ANY, 1)) : ranges);
  }

  private static Range range(String text) {
    String[] parts = text.split(";", -1);
    double quality = 1;
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip().toLowerCase(Locale.ROOT);
      if (parameter.startsWith("q=")) {
        if (!parameter.matches("q=(?:0(?:\\.\\d{0,3})?|1(?:\\.0{0,3})?)")) {
          throw new RefusedRequestException(400, "Accept has a q that is not from 0 to 1.");
        }
        quality = Double.parseDouble(parameter.substring("q=".length()));
      }
    }
    return new Range(parts[0].strip().toLowerCase(Locale.ROOT), quality);
  }

  /** How much the client likes a type: 0 if it does not take it. */
  double quality(String type) {
    String lower = type.toLowerCase(Locale.ROOT);
    return ranges.stream()
        .filter(range -> range.precision(lower) > 0)
        .max(
            Comparator.comparingInt((Range range) -> range.precision(lower))
                .thenComparingDouble(Range::quality))
        .map(Range::quality)
        .orElse(0.0);
  }

  /** The one of some types that the client likes best, of several the first. */
  String best(List<String> types) {
    String best = types.get(0);
    for (String type : types) {
      if (quality(type) > quality(best)) {
        best = type;
      }
    }
    return best;
  }
}
