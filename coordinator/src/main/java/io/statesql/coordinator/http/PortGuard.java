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

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.HandlerWrapper;

/** Refuses what no handler of a port is meant for: plain HTTP where TLS is spoken, and tunnels. */
final class PortGuard extends HandlerWrapper {
  private static final long TIMEOUT_MILLIS = 30_000;

  private final boolean needsTls;

  PortGuard(boolean needsTls, Handler next) {
    this.needsTls = needsTls;
    setHandler(next);
  }

  @Override
  public void handle(
      String target, Request baseRequest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    if (needsTls && !request.isSecure()) {
      refuse(400, "This port speaks TLS: its URL begins with https://.", baseRequest, response);
    } else if (request.getMethod().equals("CONNECT")) {
      refuse(501, "This server is no proxy.", baseRequest, response);
    } else {
      super.handle(target, baseRequest, request, response);
    }
  }

  private static void refuse(
      int status, String reason, Request request, HttpServletResponse response) {
    request.setHandled(true);
    response.setHeader("Connection", "close");
    new Reply(request, response, TIMEOUT_MILLIS).refuse(new Refusal(status, reason));
  }
}
