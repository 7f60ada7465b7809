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
import io.statesql.coordinator.CoordinatorStoppedException;
import io.statesql.coordinator.RegistryFullException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A message whose headers were in order: carries it out once its body is there. */
final class Exchange implements BodyReader.BodyTaker {
  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
  private static final int INSUFFICIENT_STORAGE = 507;

  private final CoordinatorEndpoint coordinator;
  private final MessageType<?> message;
  private final Reply reply;

  Exchange(CoordinatorEndpoint coordinator, MessageType<?> message, Reply reply) {
    this.coordinator = coordinator;
    this.message = message;
    this.reply = reply;
  }

  @Override
  public void handle(byte[] body, int length) {
    try {
      Optional<Object> result = message.handle(coordinator, body, length);
      result.ifPresentOrElse(this::answer, reply::accept);
    } catch (IllegalArgumentException e) {
      reply.refuse(new Refusal(400, message.name() + ": " + Reply.printable(e.getMessage()) + "."));
    } catch (CoordinatorStoppedException e) {
      reply.refuse(new Refusal(503, e.getMessage()));
    } catch (RegistryFullException e) {
      reply.refuse(new Refusal(INSUFFICIENT_STORAGE, e.getMessage()));
    } catch (RuntimeException e) {
      LOG.error("A message {} failed by a defect of the coordinator", message.name(), e);
      reply.refuse(new Refusal(500, "The coordinator failed by a defect; its log says more."));
    }
  }

  private void answer(Object result) {
    if (result instanceof RowStream rows) {
      reply.stream(rows);
    } else {
      reply.answer(result);
    }
  }
}
