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

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Tells who sends a request, by a name and a password: those of the header {@code Authorization}
 * (RFC 7617, Basic, UTF-8), or of a message. Clients send the header each time, so a password that
 * was right is remembered, by a keyed digest that is worth nothing outside this process. Safe for
 * use by many threads.
 */
final class Authenticator {
  /** The header that a refused client gets. */
  static final String CHALLENGE = "Basic realm=\"StateSQL\", charset=\"UTF-8\"";

  private static final String SCHEME = "Basic ";

  /** Who waits holds a thread, of which others need some. */
  private static final int MAX_SHARING = 128;

  /** Keeps an unknown name as slow as a wrong password. */
  private static final PasswordHash NOBODY = PasswordHash.of("");

  private final Map<String, Account> accounts;
  private final PasswordChecks checks = new PasswordChecks(System::nanoTime);
  private final Map<String, byte[]> proven = new ConcurrentHashMap<>();

  /** Comparisons that are being made, for many connections of a pool come at once. */
  private final Map<String, CompletableFuture<Boolean>> running = new ConcurrentHashMap<>();

  private final AtomicInteger sharing = new AtomicInteger();
  private final SecretKeySpec key;

  /** What is known of a user. */
  record Account(User user, PasswordHash password) {}

  /**
   * @param accounts by name; none if nobody is asked
   */
  Authenticator(Map<String, Account> accounts) {
    this.accounts = Map.copyOf(accounts);
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    this.key = new SecretKeySpec(random, "HmacSHA256");
  }

  /**
   * The sender, or empty if the header does not say who that is.
   *
   * @param authorization the header, or null
   * @param address of the sender
   * @throws LoginRefusedException if the user or the password is wrong, or was not looked at
   */
  Optional<User> authenticate(@Nullable String authorization, InetAddress address) {
    if (accounts.isEmpty()) {
      return Optional.of(User.ANYBODY);
    }
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Optional.empty();
    }
    String credentials;
    try {
      byte[] decoded = Base64.getDecoder().decode(authorization.substring(SCHEME.length()).strip());
      credentials = new String(decoded, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
    int colon = credentials.indexOf(':');
    return colon < 0
        ? Optional.empty()
        : Optional.of(
            authenticate(
                credentials.substring(0, colon), credentials.substring(colon + 1), address));
  }

  /**
   * The user of a name and a password.
   *
   * @param address of the sender
   * @throws LoginRefusedException if one of them is wrong, or they were not looked at
   */
  User authenticate(String name, String password, InetAddress address) {
    Account account = accounts.get(name);
    byte[] digest = digest(password);
    byte[] before = proven.get(name);
    if (account != null && before != null && MessageDigest.isEqual(before, digest)) {
      return account.user();
    }
    PasswordHash hash = account == null ? NOBODY : account.password();
    boolean isRight = checkOnce(name, digest, address, () -> hash.matches(password));
    if (account == null || !isRight) {
      throw LoginRefusedException.wrong();
    }
    proven.put(name, digest);
    return account.user();
  }

  /** One comparison serves all who send the same now. */
  private boolean checkOnce(
      String name, byte[] digest, InetAddress address, BooleanSupplier comparison) {
    String attempt = address.getHostAddress() + ' ' + HexFormat.of().formatHex(digest) + ' ' + name;
    CompletableFuture<Boolean> own = new CompletableFuture<>();
    CompletableFuture<Boolean> other = running.putIfAbsent(attempt, own);
    if (other != null) {
      return outcome(other);
    }
    try {
      boolean isRight = checks.check(address, comparison);
      own.complete(isRight);
      return isRight;
    } finally {
      running.remove(attempt);
      // Refused, or failed: whoever waits is refused too.
      own.cancel(false);
    }
  }

  private boolean outcome(CompletableFuture<Boolean> other) {
    try {
      if (sharing.incrementAndGet() > MAX_SHARING) {
        throw LoginRefusedException.tooMany();
      }
      return other.join();
    } catch (CancellationException refused) {
      throw LoginRefusedException.tooMany();
    } finally {
      sharing.decrementAndGet();
    }
  }

  private byte[] digest(String password) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      return mac.doFinal(password.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HMAC-SHA256", e);
    }
  }
}
