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

import io.statesql.ErrorCode;
import io.statesql.coordinator.http.Refusal;
import io.statesql.coordinator.http.Reply;
import io.statesql.jdbc.SqlErrors;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.calcite.avatica.remote.Service.ErrorResponse;
import org.apache.calcite.avatica.remote.Service.RpcMetadataResponse;
import org.apache.calcite.avatica.remote.WireFormat;
import org.apache.calcite.avatica.remote.WireFormat.MalformedRequestException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves Avatica's messages at the path {@code /}, in both serializations. A failed statement is a
 * reply with status 500, as the protocol wants it; what is no message of the protocol gets 400 and
 * above. Expects the {@link User} as an attribute of the request.
 */
final class RpcHandler extends AbstractHandler {
  /**
   * The types that clients send; a web page cannot send one of them to another host without asking
   * first, which gets no answer here.
   */
  private static final Set<String> CONTENT_TYPES =
      Set.of(
          "application/octet-stream",
          "application/json",
          "application/x-google-protobuf",
          "application/x-protobuf");

  private static final Logger LOG = LoggerFactory.getLogger(RpcHandler.class);
  private static final long REFUSAL_TIMEOUT_MILLIS = 30_000;

  private final Sessions sessions;
  private final StatementPolicy policy;

  RpcHandler(Sessions sessions, StatementPolicy policy) {
    this.sessions = sessions;
    this.policy = policy;
  }

  @Override
  public void handle(
      String target, Request baseRequest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!target.equals("/")) {
      return;
    }
    baseRequest.setHandled(true);
    Optional<Refusal> refusal = check(request);
    if (refusal.isPresent()) {
      refuse(request, response, refusal.get());
      return;
    }
    int longest = sessions.limits().requestBytes();
    byte[] body = request.getInputStream().readNBytes(longest + 1);
    if (body.length > longest) {
      refuse(request, response, tooLong(longest));
      return;
    }
    serve(body, request, response);
  }

  private Optional<Refusal> check(HttpServletRequest request) {
    if (!request.getMethod().equals("POST")) {
      return Optional.of(
          new Refusal(405, "This is a server for JDBC: its messages are sent with POST."));
    }
    String type = request.getContentType();
    if (type == null
        || !CONTENT_TYPES.contains(type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))) {
      return Optional.of(
          new Refusal(415, "Send the message as Content-Type: application/octet-stream."));
    }
    int longest = sessions.limits().requestBytes();
    return request.getContentLengthLong() > longest
        ? Optional.of(tooLong(longest))
        : Optional.empty();
  }

  private static Refusal tooLong(int longest) {
    return new Refusal(413, "A message may have " + longest + " bytes at most.");
  }

  private static void refuse(
      HttpServletRequest request, HttpServletResponse response, Refusal refusal) {
    new Reply(request, response, REFUSAL_TIMEOUT_MILLIS).refuse(refusal);
  }

  private void serve(byte[] body, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    WireFormat format = WireFormat.of(body);
    String address = request.getServerName() + ":" + request.getServerPort();
    int status = HttpServletResponse.SC_OK;
    byte[] reply;
    try {
      User user = (User) request.getAttribute(User.class.getName());
      reply =
          format
              .parse(body)
              .carryOut(
                  new ClientService(user, sessions, policy, new RpcMetadataResponse(address)));
    } catch (MalformedRequestException e) {
      LOG.debug("A request is malformed", e);
      status = HttpServletResponse.SC_BAD_REQUEST;
      reply =
          reply(
              format,
              new SQLException(e.getMessage(), ErrorCode.PROTOCOL_VIOLATION.sqlState()),
              address);
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      SQLException failure = translate(e);
      status =
          ErrorCode.PROTOCOL_VIOLATION.sqlState().equals(failure.getSQLState())
              ? HttpServletResponse.SC_BAD_REQUEST
              : HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
      reply = reply(format, failure, address);
    } catch (OutOfMemoryError e) {
      // Its statement was closed on the way here, and what it held can go.
      LOG.error("A statement needs more memory than there is", e);
      status = HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
      SQLException failure =
          new SQLException(ClientStatement.TOO_LARGE, ErrorCode.OUT_OF_MEMORY.sqlState());
      reply = reply(format, failure, address);
    }
    response.setStatus(status);
    response.setContentType(format.contentType());
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentLength(reply.length);
    response.getOutputStream().write(reply);
  }

  private static SQLException translate(Throwable failure) {
    SQLException translated = SqlErrors.translate(failure);
    if (ErrorCode.INTERNAL_ERROR.sqlState().equals(translated.getSQLState())) {
      LOG.error("A request failed by a defect", failure);
    } else {
      LOG.debug("A request failed", failure);
    }
    return translated;
  }

  private static byte[] reply(WireFormat format, SQLException failure, String address)
      throws IOException {
    String state = failure.getSQLState();
    // Clients that reconnect by themselves know by this number that they have to.
    int code =
        ErrorCode.UNKNOWN_CONNECTION.sqlState().equals(state)
            ? ErrorResponse.MISSING_CONNECTION_ERROR_CODE
            : ErrorResponse.UNKNOWN_ERROR_CODE;
    return format.error(failure.getMessage(), code, state, address);
  }
}
