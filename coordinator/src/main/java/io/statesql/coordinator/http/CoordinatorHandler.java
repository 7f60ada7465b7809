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
package io.statesql.coordinator.http;

import io.statesql.coordinator.CoordinatorEndpoint;
import io.statesql.coordinator.wire.Messages;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Serves the messages of a coordinator below {@link Messages#PATH}; leaves every other path to the
 * handlers after it, so that it can stand in a server beside others.
 *
 * <p>A request is checked by its headers first. Its body is then read, and its reply written,
 * without a thread waiting for the client: a slow one costs memory, no more of it than it has sent
 * or has not read yet, and for a limited time.
 */
public final class CoordinatorHandler extends Handler.Abstract {
  private static final String OWN_PATH = "/coordinator/";

  /** For the body of a request, and from there to the last byte of its reply. */
  static final long TIMEOUT_MILLIS = 30_000;

  private static final Refusal TOO_LONG =
      new Refusal(413, "A message may have " + Messages.MAX_BODY + " bytes at most; send several.");

  private final CoordinatorEndpoint coordinator;
  private final AccessTokens tokens;
  private final WebPageGuard guard;
  private final BodyReader.Limit bodyLimit;
  private final long timeoutMillis;

  /**
   * @param hostNames names of this machine that clients use, beside {@code localhost} and addresses
   */
  public CoordinatorHandler(
      CoordinatorEndpoint coordinator, AccessTokens tokens, Set<String> hostNames) {
    this(coordinator, tokens, hostNames, TIMEOUT_MILLIS);
  }

  CoordinatorHandler(
      CoordinatorEndpoint coordinator,
      AccessTokens tokens,
      Set<String> hostNames,
      long timeoutMillis) {
    this.coordinator = coordinator;
    this.tokens = tokens;
    this.guard = new WebPageGuard(hostNames);
    this.bodyLimit = new BodyReader.Limit(Messages.MAX_BODY, timeoutMillis, TOO_LONG);
    this.timeoutMillis = timeoutMillis;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    String target = Request.getPathInContext(request);
    if (!target.startsWith(OWN_PATH)) {
      return false;
    }
    Optional<MessageType<?>> message =
        target.startsWith(Messages.PATH)
            ? MessageType.find(target.substring(Messages.PATH.length()))
            : Optional.empty();
    Optional<Refusal> refusal =
        guard
            .check(request)
            .or(
                () ->
                    tokens.check(
                        request.getHeaders().get(HttpHeader.AUTHORIZATION),
                        message.map(MessageType::needsAdmin).orElse(false)))
            .or(() -> checkRequest(target, message.isPresent(), request));
    Reply reply = new Reply(request, response, callback, timeoutMillis);
    if (refusal.isPresent()) {
      reply.refuse(refusal.get());
    } else {
      BodyReader.read(
          request, reply, bodyLimit, new Exchange(coordinator, message.orElseThrow(), reply));
    }
    return true;
  }

  private static Optional<Refusal> checkRequest(String target, boolean isMessage, Request request) {
    if (!isMessage) {
      return Optional.of(
          new Refusal(
              404,
              "There is no message " + Reply.printable(target) + "; see " + Messages.PATH + "."));
    }
    if (!request.getMethod().equals("POST")) {
      return Optional.of(new Refusal(405, "Messages are sent with POST."));
    }
    return isJson(request.getHeaders().get(HttpHeader.CONTENT_TYPE))
        ? Optional.empty()
        : Optional.of(new Refusal(415, "Send the message as Content-Type: application/json."));
  }

  private static boolean isJson(String contentType) {
    return contentType != null
        && contentType.split(";", 2)[0].strip().equalsIgnoreCase("application/json");
  }
}
