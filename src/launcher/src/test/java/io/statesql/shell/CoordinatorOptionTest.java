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
package io.statesql.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.coordinator.CoordinatorSettings;
import io.statesql.coordinator.InstanceReport;
import io.statesql.coordinator.StoreCoordinator;
import io.statesql.coordinator.StoreId;
import io.statesql.coordinator.StoreInstanceId;
import io.statesql.coordinator.StoreLocation;
import io.statesql.coordinator.http.AccessTokens;
import io.statesql.coordinator.http.CoordinatorServer;
import io.statesql.coordinator.http.ServerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoordinatorOptionTest {
  private static final String TOKEN = "a-token-that-is-long-enough";

  @TempDir private Path folder;

  private static Outcome query(String... options) {
    String[] args = new String[options.length + 5];
    args[0] = "../../sql-examples/snapshots/orders";
    System.arraycopy(options, 0, args, 1, options.length);
    args[options.length + 1] = "--silent";
    args[options.length + 2] = "--outputformat=csv";
    args[options.length + 3] = "-e";
    args[options.length + 4] = "SELECT run_id, host FROM store_locations";
    return Outcome.of(args);
  }

  @Test
  void shellShowsTheCoordinatorsStores() throws Exception {
    StoreCoordinator coordinator = new StoreCoordinator(CoordinatorSettings.DEFAULT);
    StoreId store = new StoreId("/checkpoint", "0", 0, StoreId.DEFAULT_NAME);
    coordinator.reportActiveInstance(
        new StoreLocation("host-1", "1"),
        InstanceReport.now(new StoreInstanceId(store, "run-1"), "spark"));
    AccessTokens tokens = new AccessTokens(Optional.of(TOKEN), Optional.empty());
    Path file = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    try (CoordinatorServer server =
        new CoordinatorServer(coordinator, ServerOptions.LOOPBACK.withPort(0).withTokens(tokens))) {
      server.start();
      assertThat(query("--coordinator=" + server.url(), "--coordinator-token-file=" + file))
          .isEqualTo(new Outcome(0, "run_id,host\nrun-1,host-1\n", ""));
      Outcome refused = query("--coordinator=" + server.url());
      assertThat(refused.status()).isEqualTo(2);
      assertThat(refused.err()).contains(server.url(), "needs a token", "08004");
    }
  }

  @Test
  void withoutOneTheShellShowsItsOwn() {
    assertThat(query()).isEqualTo(new Outcome(0, "run_id,host\n", ""));
  }
}
