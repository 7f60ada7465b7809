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
package io.statesql.shell;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.calcite.avatica.ConnectionConfig;
import org.apache.calcite.avatica.remote.AvaticaCommonsHttpClientImpl;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.CloseableHttpResponse;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;

/**
 * The HTTP client of Avatica's remote driver, which asks a server that gives no answer a few times
 * more, and not for ever as the driver does by itself. Made by the driver, which is given the name
 * of this class.
 */
public final class RemoteHttpClient extends AvaticaCommonsHttpClientImpl {
  /** The property of the driver that names the class. */
  public static final String PROPERTY = "httpclient_impl";

  private static final int MAX_ATTEMPTS = 5;
  private static final long PAUSE_MILLIS = 200;

  /** Called by the driver. */
  public RemoteHttpClient(URL url) {
    super(URI.create(url.toString()));
  }

  @Override
  protected void initializeClient(
      PoolingHttpClientConnectionManager connections, ConnectionConfig config) {
    super.initializeClient(connections, config);
    client = new FewAttempts(client, uri);
  }

  /** The client whose exceptions and answers decide whether the driver tries again. */
  private static final class FewAttempts extends CloseableHttpClient {
    private final CloseableHttpClient inner;
    private final URI server;
    private final AtomicInteger unanswered = new AtomicInteger();

    FewAttempts(CloseableHttpClient inner, URI server) {
      this.inner = inner;
      this.server = server;
    }

    @Override
    public ClassicHttpResponse executeOpen(
        HttpHost target, ClassicHttpRequest request, HttpContext context) throws IOException {
      try {
        ClassicHttpResponse response = inner.executeOpen(target, request, context);
        if (response.getCode() == HttpStatus.SC_SERVICE_UNAVAILABLE) {
          try {
            pause("is not available (HTTP 503)", new IOException("HTTP 503"));
          } catch (UncheckedIOException | InterruptedIOException e) {
            response.close();
            throw e;
          }
        } else {
          unanswered.set(0);
        }
        return response;
      } catch (NoHttpResponseException e) {
        pause(
            "closes connections without an answer; if it speaks TLS, its URL begins with https://",
            e);
        throw e;
      }
    }

    /** Waits before the driver tries again, as often as that makes sense. */
    private void pause(String what, IOException failure) throws InterruptedIOException {
      if (unanswered.incrementAndGet() >= MAX_ATTEMPTS) {
        unanswered.set(0);
        // Of others the driver makes one whose message begins with the name of a class.
        throw new UncheckedIOException("The server at " + server + " " + what, failure);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      }
    }

    @Override
    protected CloseableHttpResponse doExecute(
        HttpHost target, ClassicHttpRequest request, HttpContext context) {
      throw new UnsupportedOperationException("The driver takes responses that are open");
    }

    @Override
    public void close() throws IOException {
      inner.close();
    }

    @Override
    public void close(CloseMode mode) {
      inner.close(mode);
    }
  }
}
