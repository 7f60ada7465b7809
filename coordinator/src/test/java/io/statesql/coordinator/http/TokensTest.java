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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.coordinator.CoordinatorStoppedException;
import io.statesql.coordinator.InstanceFilter;
import io.statesql.coordinator.client.ClientOptions;
import io.statesql.coordinator.client.CoordinatorClient;
import io.statesql.coordinator.client.CoordinatorRefusedException;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TokensTest {
  private RunningCoordinator running;

  @BeforeEach
  void start() throws IOException {
    running =
        new RunningCoordinator(
            new AccessTokens(
                Optional.of(RunningCoordinator.TOKEN), Optional.of(RunningCoordinator.ADMIN_TOKEN)),
            1_000);
  }

  @AfterEach
  void stop() throws IOException {
    running.close();
  }

  private CoordinatorClient client(String token) {
    return new CoordinatorClient(ClientOptions.of(running.url()).withToken(token));
  }

  @Test
  void messagesNeedTheToken() {
    assertThatThrownBy(() -> running.client().countInstances(InstanceFilter.ALL))
        .isInstanceOf(CoordinatorRefusedException.class)
        .hasMessageContaining(running.url())
        .hasMessageContaining("401")
        .hasMessageContaining("Authorization: Bearer");
    assertThatThrownBy(
            () -> client(RunningCoordinator.TOKEN + "x").countInstances(InstanceFilter.ALL))
        .isInstanceOf(CoordinatorRefusedException.class);
    assertThat(client(RunningCoordinator.TOKEN).countInstances(InstanceFilter.ALL)).isZero();
    assertThat(client(RunningCoordinator.ADMIN_TOKEN).countInstances(InstanceFilter.ALL)).isZero();
  }

  @Test
  void unknownPathsTellNothingWithoutTheToken() throws Exception {
    assertThat(running.post("NoSuchMessage", "{}").statusCode()).isEqualTo(401);
  }

  @Test
  void stoppingNeedsTheAdminTokenAndIsForAll() {
    CoordinatorClient user = client(RunningCoordinator.TOKEN);
    assertThatThrownBy(user::stopCoordinator)
        .isInstanceOf(CoordinatorRefusedException.class)
        .hasMessageContaining("403")
        .hasMessageContaining("needs the admin token");
    assertThat(user.countInstances(InstanceFilter.ALL)).isZero();
    client(RunningCoordinator.ADMIN_TOKEN).stopCoordinator();
    assertThatThrownBy(() -> user.countInstances(InstanceFilter.ALL))
        .isInstanceOf(CoordinatorStoppedException.class)
        .hasMessageContaining(running.url())
        .hasMessageContaining("was stopped");
  }
}
