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
package org.apache.calcite.avatica.remote;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.avatica.AvaticaSeverity;
import org.apache.calcite.avatica.remote.Service.CommitResponse;
import org.apache.calcite.avatica.remote.Service.ErrorResponse;
import org.apache.calcite.avatica.remote.Service.OpenConnectionRequest;
import org.apache.calcite.avatica.remote.Service.Request;
import org.apache.calcite.avatica.remote.Service.Response;
import org.apache.calcite.avatica.remote.Service.RollbackResponse;
import org.apache.calcite.avatica.remote.Service.RpcMetadataResponse;

/**
 * The two serializations of Avatica's messages. Its clients send both with the same {@code
 * Content-Type}, so the first byte tells them apart: a JSON message is an object and begins with a
 * brace, and no protobuf message does, for its first byte is a field number and a wire type, and a
 * brace would be field 15 of a type that Avatica's {@code WireMessage} has not.
 */
public enum WireFormat {
  JSON("application/json;charset=utf-8") {
    @Override
    Request decode(byte[] body) throws IOException {
      return JsonService.MAPPER.readValue(body, Request.class);
    }

    @Override
    byte[] encode(Response response) throws IOException {
      return REPLIES.writeValueAsBytes(response);
    }
  },

  PROTOBUF("application/x-google-protobuf") {
    @Override
    Request decode(byte[] body) throws IOException {
      return TRANSLATION.parseRequest(body);
    }

    @Override
    byte[] encode(Response response) throws IOException {
      return TRANSLATION.serializeResponse(response);
    }
  };

  private static final ObjectMapper REPLIES =
      JsonService.MAPPER.copy().registerModule(FiniteNumber.module());
  private static final ProtobufTranslation TRANSLATION = new ProtobufTranslationImpl();

  private final String contentType;

  WireFormat(String contentType) {
    this.contentType = contentType;
  }

  abstract Request decode(byte[] body) throws IOException;

  abstract byte[] encode(Response response) throws IOException;

  /** The serialization in which a client wrote a message. */
  public static WireFormat of(byte[] body) {
    for (byte b : body) {
      if (b == '{') {
        return JSON;
      }
      if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
        return PROTOBUF;
      }
    }
    return JSON;
  }

  /** The value of the header of that name that replies have. */
  public String contentType() {
    return contentType;
  }

  /**
   * A request as it was sent.
   *
   * @throws MalformedRequestException if the bytes are no request
   */
  public Call parse(byte[] body) throws MalformedRequestException {
    Request request;
    try {
      request = decode(body);
    } catch (IOException | RuntimeException e) {
      // A hostile message makes the translators of Avatica fail in every way.
      throw new MalformedRequestException(e);
    }
    if (request == null) {
      throw new MalformedRequestException(null);
    }
    return new Call(request);
  }

  /**
   * A failure in the form in which clients expect it.
   *
   * @param serverAddress what the client names as the place of the failure
   */
  public byte[] error(String message, int errorCode, String sqlState, String serverAddress)
      throws IOException {
    return encode(
        new ErrorResponse(
            // Where the client makes a message of its own, this is all that it shows of ours.
            List.of(message),
            message,
            errorCode,
            sqlState,
            AvaticaSeverity.ERROR,
            new RpcMetadataResponse(serverAddress)));
  }

  /** The answer to a commit. */
  public static CommitResponse committed() {
    return new CommitResponse();
  }

  /** The answer to a rollback. */
  public static RollbackResponse rolledBack() {
    return new RollbackResponse();
  }

  /** A request that was understood. */
  public final class Call {
    private final Request request;

    private Call(Request request) {
      this.request = request;
    }

    /** What a client says when it opens a connection; empty if this is another request. */
    public Optional<Map<String, String>> connectionInfo() {
      return request instanceof OpenConnectionRequest open
          ? Optional.of(open.info == null ? Map.of() : open.info)
          : Optional.empty();
    }

    /** Lets a service carry it out, and serializes what that returns. */
    public byte[] carryOut(Service service) {
      try {
        return encode(request.accept(service));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Bytes that are no message. */
  public static final class MalformedRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedRequestException(Throwable cause) {
      super("The body is no message of Avatica's protocol.", cause);
    }
  }
}
