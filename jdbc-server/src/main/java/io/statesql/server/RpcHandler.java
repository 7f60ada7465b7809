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
import io.statesql.coordinator.http.BodyReader;
import io.statesql.coordinator.http.Refusal;
import io.statesql.coordinator.http.Reply;
import io.statesql.sql.SqlErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.calcite.avatica.remote.Service.ErrorResponse;
import org.apache.calcite.avatica.remote.Service.RpcMetadataResponse;
import org.apache.calcite.avatica.remote.WireFormat;
import org.apache.calcite.avatica.remote.WireFormat.MalformedRequestException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves Avatica's messages at the path {@code /}, in both serializations. A failed statement is a
 * reply with status 500, as the protocol wants it; what is no message of the protocol gets 400 and
 * above. Expects as an attribute of the request the {@link User}, or a {@link
 * LoginRefusedException} that says why there is none.
 *
 * <p>A message is read, and its reply written, without a thread that waits for the client:
 * Avatica's own handler has one, and needs Jetty 9.
 */
final class RpcHandler extends Handler.Abstract {
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
  private static final long BODY_MILLIS = 60_000;

  /** Enough for a user and a password. */
  private static final int STRANGERS_BYTES = 64 << 10;

  private final Sessions sessions;
  private final StatementPolicy policy;
  private final Authenticator authenticator;

  RpcHandler(Sessions sessions, StatementPolicy policy, Authenticator authenticator) {
    this.sessions = sessions;
    this.policy = policy;
    this.authenticator = authenticator;
  }

  /** Whether a request brings a message, if it brings anything. */
  static boolean isMessage(Request request) {
    return isOwn(request) && HttpMethod.POST.is(request.getMethod());
  }

  private static boolean isOwn(Request request) {
    return Request.getPathInContext(request).equals("/");
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    if (!isOwn(request)) {
      return false;
    }
    Reply reply =
        new Reply(
            request,
            response,
            callback,
            TimeUnit.SECONDS.toMillis(sessions.limits().statementSeconds()));
    long announced = request.getLength();
    if (refused(request) != null && (announced < 0 || announced > STRANGERS_BYTES)) {
      // Which may turn out to be too long without a login.
      response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, Authenticator.CHALLENGE);
    }
    Optional<Refusal> refusal = check(request);
    if (refusal.isPresent()) {
      reply.refuse(refusal.get());
      return true;
    }
    BodyReader.read(
        request,
        reply,
        limit(request),
        (body, length) -> serve(Arrays.copyOf(body, length), request, response, reply));
    return true;
  }

  private Optional<Refusal> check(Request request) {
    if (!HttpMethod.POST.is(request.getMethod())) {
      return Optional.of(
          new Refusal(405, "This is a server for JDBC: its messages are sent with POST."));
    }
    String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
    if (type == null
        || !CONTENT_TYPES.contains(type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))) {
      return Optional.of(
          new Refusal(415, "Send the message as Content-Type: application/octet-stream."));
    }
    BodyReader.Limit limit = limit(request);
    return request.getLength() > limit.bytes() ? Optional.of(limit.refusal()) : Optional.empty();
  }

  private BodyReader.Limit limit(Request request) {
    LoginRefusedException refused = refused(request);
    if (refused != null) {
      return new BodyReader.Limit(STRANGERS_BYTES, BODY_MILLIS, refused.refusal());
    }
    int longest = sessions.limits().requestBytes();
    return new BodyReader.Limit(
        longest,
        BODY_MILLIS,
        new Refusal(413, "A message may have " + longest + " bytes at most."));
  }

  private static @Nullable LoginRefusedException refused(Request request) {
    return (LoginRefusedException) request.getAttribute(LoginRefusedException.class.getName());
  }

  private void serve(byte[] body, Request request, Response response, Reply reply) {
    WireFormat format = WireFormat.of(body);
    String address = Request.getServerName(request) + ":" + Request.getServerPort(request);
    int status = HttpStatus.OK_200;
    byte[] answer;
    try {
      answer = answer(format, body, request, response, new RpcMetadataResponse(address));
    } catch (MalformedRequestException e) {
      LOG.debug("A request is malformed", e);
      status = HttpStatus.BAD_REQUEST_400;
      answer =
          failure(
              format,
              new SQLException(e.getMessage(), ErrorCode.PROTOCOL_VIOLATION.sqlState()),
              address);
    } catch (UnknownSenderException e) {
      LoginHandler.refuse(e.refused, response, reply);
      return;
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      SQLException failure = translate(e);
      status =
          ErrorCode.PROTOCOL_VIOLATION.sqlState().equals(failure.getSQLState())
              ? HttpStatus.BAD_REQUEST_400
              : HttpStatus.INTERNAL_SERVER_ERROR_500;
      answer = failure(format, failure, address);
    } catch (OutOfMemoryError e) {
      // Its statement was closed on the way here, and what it held can go.
      LOG.error("A statement needs more memory than there is", e);
      status = HttpStatus.INTERNAL_SERVER_ERROR_500;
      SQLException failure =
          new SQLException(ClientStatement.TOO_LARGE, ErrorCode.OUT_OF_MEMORY.sqlState());
      answer = failure(format, failure, address);
    }
    reply.answer(status, Map.of(), format.contentType(), answer);
  }

  private byte[] answer(
      WireFormat format,
      byte[] body,
      Request request,
      Response response,
      RpcMetadataResponse address)
      throws MalformedRequestException, UnknownSenderException {
    LoginRefusedException refused = refused(request);
    if (refused == null) {
      User user = (User) request.getAttribute(User.class.getName());
      return format
          .parse(body)
          .carryOut(new ClientService(user, sessions, policy, Optional.empty(), address));
    }
    WireFormat.Call call;
    try {
      call = format.parse(body);
    } catch (MalformedRequestException e) {
      throw new UnknownSenderException(refused);
    }
    User user = login(call, request, refused);
    String secret = LoginCookie.newSecret();
    Optional<String> login = Optional.of(LoginCookie.digest(secret));
    byte[] answer = call.carryOut(new ClientService(user, sessions, policy, login, address));
    LoginCookie.set(secret, request.getConnectionMetaData().isSecure(), response);
    return answer;
  }

  /** Who opens a connection, by the name and the password that its properties hold. */
  private User login(WireFormat.Call call, Request request, LoginRefusedException refused)
      throws UnknownSenderException {
    if (!refused.isMissing()) {
      throw refused;
    }
    Optional<Map<String, String>> info = call.connectionInfo();
    String name = info.map(properties -> properties.get("user")).orElse("");
    if (name.isEmpty()) {
      if (info.isEmpty() && LoginCookie.of(request).isPresent()) {
        // Not a stranger, but of a connection that is not there any more.
        throw ClientConnection.unknown();
      }
      throw new UnknownSenderException(refused);
    }
    InetAddress sender = LoginHandler.address(request);
    if (!request.getConnectionMetaData().isSecure() && !sender.isLoopbackAddress()) {
      throw LoginRefusedException.readable();
    }
    return authenticator.authenticate(name, info.get().getOrDefault("password", ""), sender);
  }

  /** Somebody who says nothing of itself, and may be a client that first waits for a challenge. */
  private static final class UnknownSenderException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient LoginRefusedException refused;

    UnknownSenderException(LoginRefusedException refused) {
      super(refused);
      this.refused = refused;
    }
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

  private static byte[] failure(WireFormat format, SQLException failure, String address) {
    String state = failure.getSQLState();
    // Clients that reconnect by themselves know by this number that they have to.
    int code =
        ErrorCode.UNKNOWN_CONNECTION.sqlState().equals(state)
            ? ErrorResponse.MISSING_CONNECTION_ERROR_CODE
            : ErrorResponse.UNKNOWN_ERROR_CODE;
    try {
      return format.error(failure.getMessage(), code, state, address);
    } catch (IOException e) {
      throw new UncheckedIOException("A message cannot be written", e);
    }
  }
}
