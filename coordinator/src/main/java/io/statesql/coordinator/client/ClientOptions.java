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
package io.statesql.coordinator.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Optional;

/**
 * Where a coordinator is, and how patient a client is with it.
 *
 * @param url {@code http://HOST:PORT} or {@code https://HOST:PORT}
 * @param token to send with every message
 * @param timeout for one attempt, from connecting to the last byte of the reply
 * @param attempts how often a query is tried; other messages are sent once
 */
public record ClientOptions(URI url, Optional<String> token, Duration timeout, int attempts) {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int ATTEMPTS = 3;

  public ClientOptions {
    if (timeout.isNegative() || timeout.isZero() || attempts < 1) {
      throw new IllegalArgumentException("The timeout and the number of attempts must be positive");
    }
  }

  /**
   * A coordinator without a token: ten seconds for an attempt, three attempts.
   *
   * @throws IllegalArgumentException if the text is no URL of a coordinator
   */
  public static ClientOptions of(String url) {
    URI parsed;
    try {
      parsed = new URI(url);
    } catch (URISyntaxException e) {
      throw notAUrl(url, e);
    }
    boolean isHttp = "http".equals(parsed.getScheme()) || "https".equals(parsed.getScheme());
    boolean hasPath = parsed.getPath() != null && !parsed.getPath().matches("/?");
    if (!isHttp
        || parsed.getHost() == null
        || hasPath
        || parsed.getQuery() != null
        || parsed.getUserInfo() != null) {
      throw notAUrl(url, null);
    }
    return new ClientOptions(parsed, Optional.empty(), TIMEOUT, ATTEMPTS);
  }

  private static IllegalArgumentException notAUrl(String url, Throwable cause) {
    return new IllegalArgumentException(
        "The URL of a coordinator looks like http://HOST:PORT, not " + url, cause);
  }

  public ClientOptions withToken(String secret) {
    return new ClientOptions(url, Optional.of(secret), timeout, attempts);
  }

  public ClientOptions withTimeout(Duration limit) {
    return new ClientOptions(url, token, limit, attempts);
  }

  /** Without the token. */
  @Override
  public String toString() {
    return url.toString();
  }
}
