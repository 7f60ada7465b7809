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

import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * Keeps web pages out: a page that a browser on this machine shows could else send messages to a
 * server on the loopback interface. A browser names the page in {@code Origin}, or says in {@code
 * Sec-Fetch-Site} that it is one of another site, and under a name that was rebound to this machine
 * it sends that name as {@code Host}. The body's type, which a page may not choose freely either,
 * is checked beside this.
 */
public final class WebPageGuard {
  /** An address is no name that somebody else's DNS server could answer for. */
  private static final Pattern ADDRESS =
      Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-fA-F:.]+]");

  /** What a browser says of a page of this server, and of a URL that its user typed. */
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  private final Set<String> names;

  /**
   * @param names of this machine beside {@code localhost}, without regard to case
   */
  public WebPageGuard(Set<String> names) {
    Set<String> known = new HashSet<>();
    known.add("localhost");
    names.forEach(name -> known.add(name.toLowerCase(Locale.ROOT)));
    this.names = Set.copyOf(known);
  }

  /** Why a request is not served, or empty. */
  public Optional<Refusal> check(Request request) {
    String host = Request.getServerName(request);
    if (host == null
        || !(ADDRESS.matcher(host).matches() || names.contains(host.toLowerCase(Locale.ROOT)))) {
      return Optional.of(
          new Refusal(
              403,
              "This server is not known by the host name of the request; --allow-host names more."));
    }
    String site = request.getHeaders().get("Sec-Fetch-Site");
    boolean isFromPage = site != null && !OWN_SITES.contains(site);
    if (request.getHeaders().contains(HttpHeader.ORIGIN) || isFromPage) {
      return Optional.of(new Refusal(403, "This server does not talk to web pages."));
    }
    return Optional.empty();
  }
}
