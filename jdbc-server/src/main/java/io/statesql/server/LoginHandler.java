package io.statesql.server;

import io.statesql.coordinator.http.Refusal;
import io.statesql.coordinator.http.Reply;
import io.statesql.coordinator.http.WebPageGuard;
import java.io.IOException;
import java.util.Optional;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.HandlerWrapper;

/**
 * Lets a request through to the handlers behind it if it comes from no web page, and its sender is
 * known. They find the {@link User} as an attribute of the request.
 */
final class LoginHandler extends HandlerWrapper {
  private static final long TIMEOUT_MILLIS = 30_000;

  private final WebPageGuard guard;
  private final Authenticator authenticator;

  LoginHandler(WebPageGuard guard, Authenticator authenticator, Handler next) {
    this.guard = guard;
    this.authenticator = authenticator;
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
    Optional<User> user = authenticator.authenticate(request.getHeader("Authorization"));
    if (user.isEmpty()) {
      baseRequest.setHandled(true);
      response.setHeader("WWW-Authenticate", Authenticator.CHALLENGE);
      reply.refuse(new Refusal(401, "This server needs a user and a password."));
      return;
    }
    request.setAttribute(User.class.getName(), user.get());
    super.handle(target, baseRequest, request, response);
    if (!baseRequest.isHandled()) {
      baseRequest.setHandled(true);
      reply.refuse(new Refusal(404, "There is nothing at " + Reply.printable(target) + "."));
    }
  }
}
