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

import io.statesql.FaultText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** Reads the certificate of a server. */
final class TlsFiles {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
  private static final List<String> KEY_KINDS = List.of("RSA", "EC", "Ed25519");

  private TlsFiles() {}

  /**
   * A context with the server's certificate.
   *
   * @throws IOException if a file cannot be read
   * @throws IllegalArgumentException if a file holds something else
   */
  static SslContextFactory.Server context(ServerConfig.Tls tls) throws IOException {
    SslContextFactory.Server context = new SslContextFactory.Server();
    try {
      if (tls.keystore() == null) {
        char[] password = {};
        context.setKeyStore(fromPem(Path.of(tls.certificate()), Path.of(tls.key()), password));
        context.setKeyStorePassword("");
      } else {
        String password =
            Files.readString(Path.of(tls.passwordFile()), StandardCharsets.UTF_8).strip();
        // Tells PKCS12 and JKS apart by itself.
        context.setKeyStore(
            KeyStore.getInstance(Path.of(tls.keystore()).toFile(), password.toCharArray()));
        context.setKeyStorePassword(password);
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "The certificate or key of the server cannot be used: " + FaultText.of(e) + ".", e);
    }
    return context;
  }

  private static KeyStore fromPem(Path certificates, Path key, char[] password)
      throws IOException, GeneralSecurityException {
    Collection<? extends Certificate> chain;
    try (InputStream in = Files.newInputStream(certificates)) {
      chain = CertificateFactory.getInstance("X.509").generateCertificates(in);
    }
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("The file " + certificates + " holds no certificate.");
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, password);
    store.setKeyEntry("server", privateKey(key), password, chain.toArray(new Certificate[0]));
    return store;
  }

  private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
    Matcher key = KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
    if (!key.find()) {
      throw new IllegalArgumentException(
          "The file "
              + file
              + " holds no private key in PKCS8 (BEGIN PRIVATE KEY); 'openssl pkcs8 -topk8 -nocrypt'"
              + " makes one.");
    }
    PKCS8EncodedKeySpec encoded =
        new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key.group(1)));
    InvalidKeySpecException last = null;
    for (String kind : KEY_KINDS) {
      try {
        return KeyFactory.getInstance(kind).generatePrivate(encoded);
      } catch (InvalidKeySpecException otherKind) {
        last = otherKind;
      }
    }
    throw last;
  }
}
