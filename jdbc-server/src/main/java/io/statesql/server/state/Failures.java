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
package io.statesql.server.state;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.coordinator.http.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Statuses of HTTP for what goes wrong. */
final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  private Failures() {}

  /** Of a change, after its value was read. */
  static Refusal ofChange(RuntimeException failure) {
    if (failure instanceof RefusedRequestException refused) {
      return refused.refusal();
    }
    if (failure instanceof StateSqlException known) {
      int status =
          switch (known.code()) {
            case READ_ONLY -> 403;
            case UNSUPPORTED_SNAPSHOT,
                INVALID_ARGUMENT,
                UNWRITABLE_VALUE,
                UNDECODABLE_STATE,
                TRANSACTION_CONFLICT ->
                409;
            default -> ofCode(known.code());
          };
      return new Refusal(status, known.getMessage());
    }
    return defect(failure);
  }

  /** Of a new value. */
  static RefusedRequestException ofValue(StateSqlException failure) {
    // What is no JSON at all is the sender's slip; what is of another type than the state is not
    // something that the state takes.
    int status = failure.code() == ErrorCode.INVALID_ARGUMENT ? 400 : 415;
    return new RefusedRequestException(status, failure.getMessage(), failure);
  }

  /** Of a read. */
  static Refusal ofRead(RuntimeException failure) {
    if (failure instanceof RefusedRequestException refused) {
      return refused.refusal();
    }
    if (failure instanceof StateSqlException known) {
      int status =
          switch (known.code()) {
            case UNSUPPORTED_SNAPSHOT, UNDECODABLE_STATE -> 501;
            default -> ofCode(known.code());
          };
      return new Refusal(status, known.getMessage());
    }
    return defect(failure);
  }

  private static int ofCode(ErrorCode code) {
    return switch (code) {
      case TOO_MANY, CANCELED, SHUTTING_DOWN -> 503;
      case MEMORY_LIMIT -> 507;
      default -> 500;
    };
  }

  private static Refusal defect(RuntimeException failure) {
    LOG.error("A request for an entry failed by a defect", failure);
    return new Refusal(500, "The server failed by a defect; its log says more.");
  }
}
