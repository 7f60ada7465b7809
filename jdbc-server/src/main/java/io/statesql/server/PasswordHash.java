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

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A password as a configuration file holds it: {@code pbkdf2:ITERATIONS:SALT:HASH} of
 * PBKDF2-HMAC-SHA256, salt and hash in Base64. Immutable.
 */
public final class PasswordHash {
  private static final Pattern FORM =
      Pattern.compile("pbkdf2:([1-9][0-9]{3,7}):([A-Za-z0-9+/=]+):([A-Za-z0-9+/=]+)");
  private static final int ITERATIONS = 210_000;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BITS = 256;

  private final int iterations;
  private final byte[] salt;
  private final byte[] hash;

  private PasswordHash(int iterations, byte[] salt, byte[] hash) {
    this.iterations = iterations;
    this.salt = salt;
    this.hash = hash;
  }

  /**
   * A new hash of a password, with a salt of its own.
   *
   * @throws IllegalArgumentException if it holds the character NUL
   */
  public static PasswordHash of(String password) {
    if (hasNul(password)) {
      throw new IllegalArgumentException("a password may not hold the character NUL");
    }
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return new PasswordHash(ITERATIONS, salt, derive(password, salt, ITERATIONS));
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws IllegalArgumentException if the text is something else; it is not in the message, for
   *     it may be a password
   */
  public static PasswordHash parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "a password must be given as its hash, which 'statesql server --hash-password' prints");
    }
    Base64.Decoder decoder = Base64.getDecoder();
    return new PasswordHash(
        Integer.parseInt(form.group(1)),
        decoder.decode(form.group(2)),
        decoder.decode(form.group(3)));
  }

  /** Whether a password is this one. Takes some hundredths of a second on purpose. */
  boolean matches(String password) {
    return MessageDigest.isEqual(hash, derive(password, salt, iterations)) && !hasNul(password);
  }

  /** HMAC fills short keys up with NUL, so a password with some at its end has the same hash. */
  private static boolean hasNul(String password) {
    return password.indexOf('\0') >= 0;
  }

  private static byte[] derive(String password, byte[] salt, int iterations) {
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
          .generateSecret(new PBEKeySpec(password.toCharArray(), salt, iterations, HASH_BITS))
          .getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has PBKDF2", e);
    }
  }

  @Override
  public String toString() {
    Base64.Encoder encoder = Base64.getEncoder();
    return "pbkdf2:"
        + iterations
        + ":"
        + encoder.encodeToString(salt)
        + ":"
        + encoder.encodeToString(hash);
  }
}
