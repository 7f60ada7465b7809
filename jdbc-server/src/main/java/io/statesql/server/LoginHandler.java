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

import io.statesql.coordinator.http.Refusal;
import io.statesql.coordinator.http.Reply;
import io.statesql.coordinator.http.WebPageGuard;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Lets a request through to the handlers behind it if it comes from no web page, and its sender is
 * known: by the header {@code Authorization}, or by the secret of a connection. They find the
 * {@link User} as an attribute of the request. A message of JDBC is let through in any case, for it
 * may hold a user and a password itself; where the sender is unknown, it has a {@link
 * LoginRefusedException} as an attribute in place of the user.
 */
final class LoginHandler extends Handler.Wrapper {
  private static final long TIMEOUT_MILLIS = 30_000;

  private final WebPageGuard guard;
  private final Authenticator authenticator;
  private final Sessions sessions;

  LoginHandler(WebPageGuard guard, Authenticator authenticator, Sessions sessions, Handler next) {
    super(next);
    this.guard = guard;
    this.authenticator = authenticator;
    this.sessions = sessions;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Reply reply = new Reply(request, response, callback, TIMEOUT_MILLIS);
    Optional<Refusal> refusal = guard.check(request);
    if (refusal.isPresent()) {
      reply.refuse(refusal.get());
      return true;
    }
    try {
      request.setAttribute(User.class.getName(), sender(request));
    } catch (LoginRefusedException e) {
      if (!RpcHandler.isMessage(request)) {
        refuse(e, response, reply);
        return true;
      }
      request.setAttribute(LoginRefusedException.class.getName(), e);
    }
    if (!super.handle(request, response, callback)) {
      String path = Request.getPathInContext(request);
      reply.refuse(new Refusal(404, "There is nothing at " + Reply.printable(path) + "."));
    }
    return true;
  }

  /**
   * Who sends a request.
   *
   * @throws LoginRefusedException if nobody knows
   */
  private User sender(Request request) {
    return authenticator
        .authenticate(request.getHeaders().get(HttpHeader.AUTHORIZATION), address(request))
        .or(() -> LoginCookie.of(request).flatMap(sessions::owner))
        .orElseThrow(LoginRefusedException::missing);
  }

  static InetAddress address(Request request) {
    return ((InetSocketAddress) request.getConnectionMetaData().getRemoteSocketAddress())
        .getAddress();
  }

  /** Refuses a request, and asks for name and password where these would help. */
  static void refuse(LoginRefusedException refused, Response response, Reply reply) {
    if (refused.refusal().status() == HttpStatus.UNAUTHORIZED_401) {
      response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, Authenticator.CHALLENGE);
    }
    reply.refuse(refused.refusal());
  }
}
