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
import io.statesql.StateSqlException;
import io.statesql.coordinator.http.Refusal;

/** A sender that is not let in, and why. */
final class LoginRefusedException extends StateSqlException {
  private static final long serialVersionUID = 1L;
  private static final int UNAUTHORIZED = 401;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int FORBIDDEN = 403;

  private final int status;

  private LoginRefusedException(ErrorCode code, int status, String message) {
    super(code, message);
    this.status = status;
  }

  /** Whether the sender said nothing of itself. */
  boolean isMissing() {
    return code() == ErrorCode.CONNECTION_REFUSED && status == UNAUTHORIZED;
  }

  /** Nobody said who sends the request. */
  static LoginRefusedException missing() {
    return new LoginRefusedException(
        ErrorCode.CONNECTION_REFUSED,
        UNAUTHORIZED,
        "This server needs a user and a password, and got none.");
  }

  /** The two do not belong together. Does not tell whether there is such a user. */
  static LoginRefusedException wrong() {
    return new LoginRefusedException(
        ErrorCode.WRONG_PASSWORD, UNAUTHORIZED, "The user or the password is wrong.");
  }

  /** They were not looked at, for too many others were wrong, or are being looked at. */
  static LoginRefusedException tooMany() {
    return new LoginRefusedException(
        ErrorCode.TOO_MANY,
        TOO_MANY_REQUESTS,
        "Too many logins came from this address, or come now; try again in a few seconds.");
  }

  /** A password that others may have read on its way, and a secret that they would read. */
  static LoginRefusedException readable() {
    return new LoginRefusedException(
        ErrorCode.CONNECTION_REFUSED,
        FORBIDDEN,
        "A user and a password as properties of a connection are taken over TLS (https://) and from"
            + " this machine only.");
  }

  /** The same where messages are not those of JDBC. */
  Refusal refusal() {
    return new Refusal(status, getMessage());
  }
}
