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

import io.statesql.coordinator.http.Reply;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * What the headers of a change say.
 *
 * @param id of the change
 * @param isIdChosen whether the sender chose the id, so that it may have been there before
 * @param isAsync whether the sender does not want to wait for the commit
 * @param contentType null if there is none
 */
record ChangeHeaders(
    String id,
    boolean isIdChosen,
    boolean isAsync,
    Preconditions conditions,
    @Nullable String contentType) {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final String ASYNC = "respond-async";

  /**
   * Reads the headers.
   *
   * @throws RefusedRequestException if one is malformed or not taken
   */
  static ChangeHeaders of(Request request) {
    HttpFields headers = request.getHeaders();
    if (headers.contains(HttpHeader.CONTENT_ENCODING)) {
      throw new RefusedRequestException(415, "A value is sent without Content-Encoding.");
    }
    if (headers.contains(HttpHeader.CONTENT_RANGE)) {
      throw new RefusedRequestException(400, "A value is sent as a whole, without Content-Range.");
    }
    Optional<String> chosen =
        Optional.ofNullable(headers.get("Idempotency-Key"))
            .map(key -> key.replaceFirst("^\"(.*)\"$", "$1"));
    return new ChangeHeaders(
        chosen.map(ChangeHeaders::checkId).orElseGet(() -> UUID.randomUUID().toString()),
        chosen.isPresent(),
        prefersAsync(headers),
        Preconditions.of(request),
        headers.get(HttpHeader.CONTENT_TYPE));
  }

  /** An id that a client sent, if it can be one. */
  static String checkId(String id) {
    if (!ID.matcher(id).matches()) {
      throw new RefusedRequestException(
          400, "The id " + Reply.printable(id) + " is not 1 to 64 letters, digits, hyphens and _.");
    }
    return id;
  }

  private static boolean prefersAsync(HttpFields headers) {
    for (String line : headers.getValuesList("Prefer")) {
      for (String preference : line.split(",", -1)) {
        if (preference.split(";", 2)[0].strip().equalsIgnoreCase(ASYNC)) {
          return true;
        }
      }
    }
    return false;
  }
}
