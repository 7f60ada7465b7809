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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A client that keeps its connection, and is strict: a reply is due to each request, nothing more
 * than it comes, and the connection ends only after a reply that says so.
 *
 * <p>Java's own client is not used where thousands of requests follow each other at once: it may
 * take the reply to a request for bytes that come to a connection at rest, and give the request up.
 */
final class KeepAliveClient implements AutoCloseable {
  private static final int ANSWER_MILLIS = 120_000;

  private final URI server;
  private Socket socket;
  private InputStream in;

  KeepAliveClient(URI server) {
    this.server = server;
  }

  /**
   * Sends a request, its headers and its body in packets of their own.
   *
   * @return the status of the reply, and its headers, each line with its end
   */
  String send(String method, String path, String contentType, byte[] body) throws IOException {
    if (socket == null) {
      socket = new Socket(server.getHost(), server.getPort());
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(ANSWER_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
    }
    String headers =
        """
        %s %s HTTP/1.1
        Host: localhost
        Content-Type: %s
        Content-Length: %d

        """
            .formatted(method, path, contentType, body.length)
            .replace("\n", "\r\n");
    write(headers.getBytes(StandardCharsets.US_ASCII));
    write(body);
    String reply = readReply();
    if (reply.contains("Connection: close")) {
      close();
    } else {
      assertThat(in.available()).as("bytes after %s", reply).isZero();
    }
    return reply;
  }

  private void write(byte[] bytes) {
    try {
      OutputStream out = socket.getOutputStream();
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      // The server has refused the request and reads no more: its reply is there, or is missed.
      return;
    }
  }

  private String readReply() throws IOException {
    StringBuilder headers = new StringBuilder();
    int length = 0;
    for (String line = readLine(); !line.isEmpty(); line = readLine()) {
      headers.append(line).append('\n');
      if (line.startsWith("Content-Length: ")) {
        length = Integer.parseInt(line.substring("Content-Length: ".length()));
      }
    }
    assertThat(in.readNBytes(length)).hasSize(length);
    return headers.toString();
  }

  private String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("The connection ended, and no reply had said so");
      }
      line.append((char) next);
    }
    return line.toString().strip();
  }

  @Override
  public void close() throws IOException {
    if (socket != null) {
      socket.close();
      socket = null;
    }
  }
}
