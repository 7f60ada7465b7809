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
package io.statesql.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * What a client sends that gave its password when it opened a connection, and only then, as
 * Avatica's driver does: a secret that the server made for this connection. Kept by its digest.
 */
final class LoginCookie {
  private static final String NAME = "statesql-login";
  private static final int SECRET_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private LoginCookie() {}

  static String newSecret() {
    byte[] secret = new byte[SECRET_BYTES];
    RANDOM.nextBytes(secret);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }

  /** Under which a secret is known here. */
  static String digest(String secret) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  /** The digest of the secret that a client sent, if it sent one. */
  static Optional<String> of(Request request) {
    return Request.getCookies(request).stream()
        .filter(cookie -> cookie.getName().equals(NAME))
        .findFirst()
        .map(HttpCookie::getValue)
        .map(LoginCookie::digest);
  }

  /** Lets the client know its secret. */
  static void set(String secret, boolean isSecure, Response response) {
    response
        .getHeaders()
        .add(
            HttpHeader.SET_COOKIE,
            NAME
                + "="
                + secret
                + "; Path=/; HttpOnly; SameSite=Strict"
                + (isSecure ? "; Secure" : ""));
  }
}
