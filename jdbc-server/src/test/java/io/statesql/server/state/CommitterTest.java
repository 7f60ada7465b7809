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

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.schema.MountMoves;
import io.statesql.server.Role;
import io.statesql.server.ServerConfig;
import io.statesql.server.User;
import io.statesql.snapshot.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes that are committed together. */
class CommitterTest {
  private static final Path SAMPLE =
      Path.of("..", "sql-examples", "snapshots", "orders").toAbsolutePath().normalize();

  @TempDir private Path commits;

  private static PendingChange put(String key, String value) {
    return new PendingChange(
        new ChangeRequest(
            "id-" + key,
            new User("ada", Role.ADMIN),
            "PUT " + key,
            new EntryAddressText("orders", "orders-per-customer", key, "order-count"),
            false,
            new Preconditions(Optional.empty(), Optional.empty()),
            "text/plain",
            Bytes.copyOf(value.getBytes(StandardCharsets.UTF_8))));
  }

  /** Whoever hears that a change was refused may be sure that it is not made. */
  @Test
  void changeThatCannotBeReadAgainIsNotCommittedWithTheOthers() throws Exception {
    ServerConfig config =
        ServerConfig.read(
            null, Map.of("snapshots", List.of(SAMPLE.toString()), "commitTo", commits.toString()));
    try (StateMounts mounts = new StateMounts(config, new MountMoves())) {
      MountedState mount = mounts.current();
      PendingChange first = put("1", "71");
      PendingChange refused = put("2", "72");
      PendingChange last = put("3", "73");
      StateReads reads =
          new StateReads(
              () ->
                  () -> {
                    if (mount.edited().statements().contains("PUT 2")) {
                      throw new StateSqlException(
                          ErrorCode.MEMORY_LIMIT, "The entry is too large.");
                    }
                  });
      new Committer(mount, reads, Cancellation.NEVER).commit(List.of(first, refused, last));

      assertThat(first.outcome().join().status()).isEqualTo(CommitOutcome.Status.COMMITTED);
      assertThat(last.outcome().join().status()).isEqualTo(CommitOutcome.Status.COMMITTED);
      assertThat(refused.outcome().join().error()).contains("The entry is too large");
      assertThat(value(mount, "1")).isEqualTo("71");
      assertThat(value(mount, "2")).isEqualTo("8");
      assertThat(value(mount, "3")).isEqualTo("73");
    }
  }

  private static String value(MountedState mount, String key) {
    EntryAddressText address =
        new EntryAddressText("orders", "orders-per-customer", key, "order-count");
    byte[] bytes = new StateReads(600).read(address, mount.store()).bytes().toByteArray();
    return String.valueOf(ByteBuffer.wrap(bytes).getLong());
  }
}
