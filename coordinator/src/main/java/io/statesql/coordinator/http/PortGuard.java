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

import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Refuses what no handler of a port is meant for: plain HTTP where TLS is spoken, and tunnels. */
final class PortGuard extends Handler.Wrapper {
  private static final long TIMEOUT_MILLIS = 30_000;

  private final boolean needsTls;

  PortGuard(boolean needsTls, Handler next) {
    super(next);
    this.needsTls = needsTls;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    // A client is silent while it waits for its answer. What it may be slow in has deadlines.
    request.addIdleTimeoutListener(silence -> false);
    Reply reply = new Reply(request, response, callback, TIMEOUT_MILLIS);
    if (needsTls && !request.getConnectionMetaData().isSecure()) {
      reply.refuseAndClose(new Refusal(400, "This port speaks TLS: its URL begins with https://."));
    } else if (HttpMethod.CONNECT.is(request.getMethod())) {
      reply.refuseAndClose(new Refusal(501, "This server is no proxy."));
    } else {
      return super.handle(request, response, callback);
    }
    return true;
  }
}
