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
package io.statesql.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.forms.JobKeys;
import io.statesql.forms.ShopSnapshot;
import java.nio.file.Path;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the distribution ships suffices: its libraries alone are on the class path. */
class DistributionTest {
  private static final String OPERATOR = '"' + ShopSnapshot.CANONICAL.operator() + '"';

  @TempDir private Path folder;

  /**
   * A job's jar has the job's classes and no more; Kryo, and what Flink registers with it, whose
   * numbers stand in the values, are to come from here.
   */
  @Test
  void theJobsClassesReadKryoValuesAndMakeKryoKeys() throws Exception {
    try (JobKeys keys = JobKeys.in(folder)) {
      Path orders = ShopSnapshot.CANONICAL.write(folder, keys.job(), 1250);
      String tickets = OPERATOR + ".total";
      ShellRun run =
          ShellRun.ofDistribution(
              "orders=" + orders,
              "tickets=" + keys.writeTickets(),
              "--jars",
              keys.job().jar().toString(),
              "--commit-to",
              folder.resolve("edits").toString(),
              "--outputformat=csv",
              "--showheader=false",
              "--silent",
              "-e",
              "SELECT JSON_VALUE(state_value, '$.items[1].message') FROM orders.%s.orders"
                      .formatted(OPERATOR)
                  + " WHERE state_key = 'bob'",
              "-e",
              "SELECT state_value FROM orders.%s.balance".formatted(OPERATOR),
              "-e",
              "SELECT state_value FROM orders.%s.kept".formatted(OPERATOR),
              "-e",
              "INSERT INTO tickets.%s (state_key, state_value)".formatted(tickets)
                  + " SELECT REPLACE(state_key, 'row', 'new'), 77 FROM tickets.%s"
                      .formatted(tickets)
                  + " WHERE state_value = 3",
              "-e",
              "SELECT state_key, key_group FROM tickets.%s WHERE state_value = 77"
                  .formatted(tickets));

      assertThat(run.err()).doesNotContain("Error");
      assertThat(run.out())
          .isEqualTo(
              "card\n"
                  + "\"{\"\"@class\"\":\"\"shop.Money\"\",\"\"cents\"\":1250,\"\"currency\"\":\"\"CHF\"\"}\"\n"
                  + "\"{\"\"count\"\":3}\"\n"
                  + "\"{\"\"code\"\":\"\"new 3\"\",\"\"seat\"\":3,\"\"day\"\":\"\"2026-03-01\"\"}\","
                  + KeyGroupRangeAssignment.assignToKeyGroup(keys.ticket("new 3", 3), 8)
                  + "\n");
      assertThat(run.status()).isZero();
    }
  }
}
