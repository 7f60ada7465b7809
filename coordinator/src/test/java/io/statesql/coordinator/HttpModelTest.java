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
package io.statesql.coordinator;

import io.statesql.coordinator.client.ClientOptions;
import io.statesql.coordinator.client.CoordinatorClient;
import io.statesql.coordinator.http.CoordinatorServer;
import io.statesql.coordinator.http.ServerOptions;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The messages over HTTP mean what they mean in one process. */
class HttpModelTest {
  private static final CoordinatorSettings SETTINGS = CoordinatorSettings.DEFAULT;

  @Test
  void answersAsTheModel() throws Exception {
    FakeTime time = new FakeTime();
    CoordinatorModel model = new CoordinatorModel(SETTINGS, time);
    Random random = new Random(17);
    try (CoordinatorServer server =
        new CoordinatorServer(
            new StoreCoordinator(SETTINGS, time), ServerOptions.LOOPBACK.withPort(0))) {
      server.start();
      CoordinatorClient client = new CoordinatorClient(ClientOptions.of(server.url()));
      RandomMessages messages = new RandomMessages("", 17, client, model);
      for (int i = 0; i < 2_000; i++) {
        time.pass(random.nextInt(20) == 0 ? random.nextInt(35_000) : random.nextInt(100));
        messages.send();
      }
      model.expire();
      messages.list();
    }
  }
}
