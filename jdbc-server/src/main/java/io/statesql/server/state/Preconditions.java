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
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Request;

/**
 * The conditions of a request (RFC 9110, section 13).
 *
 * @param ifMatch tags of which the present content must have one; {@code *} for any content
 * @param ifNoneMatch tags of which it must have none
 */
record Preconditions(Optional<List<String>> ifMatch, Optional<List<String>> ifNoneMatch) {
  private static final String ANY = "*";
  private static final Pattern TAG =
      Pattern.compile("\\s*((?:W/)?\"[\\x21\\x23-\\x7e]*\"|\\*)\\s*(?:,|$)");

  /**
   * Reads the headers.
   *
   * @throws RefusedRequestException if one is malformed
   */
  static Preconditions of(Request request) {
    return new Preconditions(tags(request, "If-Match"), tags(request, "If-None-Match"));
  }

  private static Optional<List<String>> tags(Request request, String header) {
    List<String> lines = request.getHeaders().getValuesList(header);
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    String all = String.join(",", lines);
    List<String> tags = new ArrayList<>();
    Matcher tag = TAG.matcher(all);
    int end = 0;
    while (end < all.length() && tag.find(end) && tag.start() == end) {
      tags.add(tag.group(1));
      end = tag.end();
    }
    if (end < all.length() || tags.isEmpty() || (tags.contains(ANY) && tags.size() > 1)) {
      throw new RefusedRequestException(
          400, header + " must be * or a list of entity tags, each in double quotes.");
    }
    return Optional.of(tags);
  }

  boolean isEmpty() {
    return ifMatch.isEmpty() && ifNoneMatch.isEmpty();
  }

  /** Whether a change may be made of what stands there now; nothing if empty. */
  boolean allow(Optional<EntityTag> present) {
    return matches(present) && !isKnown(present);
  }

  /** Whether {@code If-Match} lets a request through. */
  boolean matches(Optional<EntityTag> present) {
    return ifMatch.map(tags -> contains(tags, present, /* weakly= */ false)).orElse(true);
  }

  /** Whether the sender has the present content already. */
  boolean isKnown(Optional<EntityTag> present) {
    return ifNoneMatch.map(tags -> contains(tags, present, /* weakly= */ true)).orElse(false);
  }

  private static boolean contains(List<String> tags, Optional<EntityTag> present, boolean weakly) {
    return present.isPresent()
        && tags.stream()
            .map(tag -> weakly && tag.startsWith("W/") ? tag.substring(2) : tag)
            .anyMatch(tag -> tag.equals(ANY) || present.get().matches(tag));
  }
}
