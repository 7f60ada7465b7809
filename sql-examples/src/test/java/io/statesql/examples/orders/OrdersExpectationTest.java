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
package io.statesql.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.statesql.examples.orders.expect.OrdersExpectation;
import java.math.BigDecimal;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OrdersExpectationTest {

  @Test
  void loadsNoClassButItsOwnAndTheInputs() throws Exception {
    URL classes = OrdersExpectation.class.getProtectionDomain().getCodeSource().getLocation();
    try (RecordingLoader loader = new RecordingLoader(classes)) {
      loader
          .loadClass(OrdersExpectation.class.getName())
          .getMethod("of", long.class, int.class)
          .invoke(null, 100L, 2);

      assertThat(loader.loaded)
          .isNotEmpty()
          .allMatch(
              name ->
                  name.startsWith("io.statesql.examples.orders.expect.")
                      || name.startsWith("io.statesql.examples.orders.input."));
    }
  }

  @Test
  void followsTheInputOfTheFirstOrder() {
    OrdersExpectation expectation = OrdersExpectation.of(1, 1);

    assertThat(expectation.table("customers", "lifetime-spend"))
        .containsExactly(Map.of("state_key", "ada", "state_value", new BigDecimal("1.99")));
    assertThat(expectation.table("order-timeouts", "timers"))
        .containsExactly(
            Map.of(
                "state_key",
                1000L,
                "time_domain",
                "EVENT",
                "timer_timestamp",
                Instant.parse("2026-02-28T23:20:00Z").toEpochMilli(),
                "fire_time",
                Instant.parse("2026-02-28T23:20:00Z"),
                "timer_service",
                "user-timers"));
    assertThat(expectation.table("customers", "profile").get(0))
        .containsEntry("score", Double.NaN)
        .containsEntry("address", null);
  }

  @Test
  void joinsTheStatesOfAKeyInOneRow() {
    OrdersExpectation expectation = OrdersExpectation.of(100, 2);

    assertThat(expectation.table("order-timeouts", "keyed_state"))
        .hasSize(
            expectation.table("order-timeouts", "pending-order").size()
                + expectation.table("order-timeouts", "expired-at").size())
        .allSatisfy(
            row -> {
              boolean isPending = (Boolean) row.get("pending-order_present");
              assertThat(row.get("pending-order_order_id"))
                  .isEqualTo(isPending ? row.get("state_key") : null);
              assertThat(row.get("expired-at") == null).isEqualTo(isPending);
            });
  }

  @Test
  void refusesAnUnknownTable() {
    OrdersExpectation expectation = OrdersExpectation.of(1, 1);

    assertThatThrownBy(() -> expectation.table("customers", "none"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("No table 'none' of operator 'customers'");
  }

  /** Sees the given classes and the JDK alone, and notes which it defines. */
  private static final class RecordingLoader extends URLClassLoader {

    private final List<String> loaded = new ArrayList<>();

    RecordingLoader(URL classes) {
      super(new URL[] {classes}, ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      loaded.add(name);
      return super.findClass(name);
    }
  }
}
