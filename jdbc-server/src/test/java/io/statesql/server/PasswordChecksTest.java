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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PasswordChecksTest {
  private final AtomicLong time = new AtomicLong();
  private final PasswordChecks checks = new PasswordChecks(time::get);

  private static InetAddress address(String text) throws Exception {
    return InetAddress.getByName(text);
  }

  private void wrong(String address, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      assertThat(checks.check(address(address), () -> false)).isFalse();
    }
  }

  private void assertRefused(String address) {
    assertThatThrownBy(() -> checks.check(address(address), () -> true))
        .hasMessageContaining("try again");
  }

  @Test
  void addressWithManyWrongOnesHasToWait() throws Exception {
    wrong("192.0.2.1", PasswordChecks.FREE);
    assertRefused("192.0.2.1");
    assertThat(checks.check(address("192.0.2.2"), () -> true)).as("another").isTrue();

    time.addAndGet(PasswordChecks.PAUSE_NANOS);
    wrong("192.0.2.1", 1);
    assertRefused("192.0.2.1");
  }

  @Test
  void networkOfVersion6IsOneAddress() throws Exception {
    wrong("2001:db8::1", PasswordChecks.FREE / 2);
    wrong("2001:db8::2", PasswordChecks.FREE / 2);
    assertRefused("2001:db8::3");
  }

  @Test
  void rightOnesAreNotCounted() throws Exception {
    for (int i = 0; i < 10 * PasswordChecks.FREE; i++) {
      assertThat(checks.check(address("192.0.2.1"), () -> true)).isTrue();
    }
  }
}
