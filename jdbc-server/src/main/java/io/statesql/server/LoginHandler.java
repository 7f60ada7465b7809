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
import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.HandlerWrapper;

/**
 * Lets a request through to the handlers behind it if it comes from no web page, and its sender is
 * known: by the header {@code Authorization}, or by the secret of a connection. They find the
 * {@link User} as an attribute of the request. A message of JDBC is let through in any case, for it
 * may hold a user and a password itself; where the sender is unknown, it has a {@link
 * LoginRefusedException} as an attribute in place of the user.
 */
final class LoginHandler extends HandlerWrapper {
  private static final long TIMEOUT_MILLIS = 30_000;

  private final WebPageGuard guard;
  private final Authenticator authenticator;
  private final Sessions sessions;

  LoginHandler(WebPageGuard guard, Authenticator authenticator, Sessions sessions, Handler next) {
    this.guard = guard;
    this.authenticator = authenticator;
    this.sessions = sessions;
    setHandler(next);
  }

  @Override
  public void handle(
      String target, Request baseRequest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    Reply reply = new Reply(request, response, TIMEOUT_MILLIS);
    Optional<Refusal> refusal = guard.check(request);
    if (refusal.isPresent()) {
      baseRequest.setHandled(true);
      reply.refuse(refusal.get());
      return;
    }
    try {
      request.setAttribute(User.class.getName(), sender(baseRequest));
    } catch (LoginRefusedException e) {
      if (!RpcHandler.isMessage(target, request)) {
        baseRequest.setHandled(true);
        refuse(e, response, reply);
        return;
      }
      request.setAttribute(LoginRefusedException.class.getName(), e);
    }
    super.handle(target, baseRequest, request, response);
    if (!baseRequest.isHandled()) {
      baseRequest.setHandled(true);
      reply.refuse(new Refusal(404, "There is nothing at " + Reply.printable(target) + "."));
    }
  }

  /**
   * Who sends a request.
   *
   * @throws LoginRefusedException if nobody knows
   */
  private User sender(Request request) {
    return authenticator
        .authenticate(request.getHeader("Authorization"), address(request))
        .or(() -> LoginCookie.of(request).flatMap(sessions::owner))
        .orElseThrow(LoginRefusedException::missing);
  }

  static InetAddress address(Request request) {
    return request.getRemoteInetSocketAddress().getAddress();
  }

  /** Refuses a request, and asks for name and password where these would help. */
  static void refuse(LoginRefusedException refused, HttpServletResponse response, Reply reply) {
    if (refused.refusal().status() == HttpServletResponse.SC_UNAUTHORIZED) {
      response.setHeader("WWW-Authenticate", Authenticator.CHALLENGE);
    }
    reply.refuse(refused.refusal());
  }
}
