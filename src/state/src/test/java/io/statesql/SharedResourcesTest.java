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
package io.statesql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long things that readers share are kept. */
class SharedResourcesTest {
  private final List<String> closed = new ArrayList<>();

  /** A thing that notes its end. */
  private final class Thing implements SharedResources.Resource {
    private final String name;

    Thing(String name) {
      this.name = name;
    }

    @Override
    public void close() {
      closed.add(name);
    }
  }

  private SharedResources.Lease<Thing> acquire(SharedResources shared, String name) {
    return shared.acquire(name, Thing.class, () -> new Thing(name));
  }

  @Test
  void thingIsClosedWithItsLastUser() {
    SharedResources shared = SharedResources.untilUnused();
    SharedResources.Lease<Thing> first = acquire(shared, "a");
    SharedResources.Lease<Thing> second = acquire(shared, "a");
    assertThat(first.thing()).isSameAs(second.thing());

    first.close();
    assertThat(closed).isEmpty();
    second.close();
    assertThat(closed).containsExactly("a");
  }

  @Test
  void idleThingsAreKeptUpToALimitAndTheOldestGoFirst() {
    SharedResources shared = SharedResources.keepingIdle(2);
    acquire(shared, "a").close();
    acquire(shared, "b").close();
    acquire(shared, "a").close();
    assertThat(closed).isEmpty();

    acquire(shared, "c").close();
    assertThat(closed).containsExactly("b");
  }

  @Test
  void whatIsUsedIsKeptBeyondTheLimit() {
    SharedResources shared = SharedResources.keepingIdle(1);
    SharedResources.Lease<Thing> used = acquire(shared, "a");
    acquire(shared, "b").close();
    assertThat(closed).isEmpty();

    used.close();
    acquire(shared, "c").close();
    assertThat(closed).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void afterTheEndEachThingGoesWithItsLastUser() {
    SharedResources shared = SharedResources.keepingIdle(5);
    SharedResources.Lease<Thing> used = acquire(shared, "a");
    acquire(shared, "b").close();

    shared.close();
    assertThat(closed).containsExactly("b");
    used.close();
    acquire(shared, "c").close();
    assertThat(closed).containsExactly("b", "a", "c");
  }

  /** A thing that cannot be closed. */
  private SharedResources.Lease<SharedResources.Resource> acquireFaulty(SharedResources shared) {
    return shared.acquire(
        "faulty",
        SharedResources.Resource.class,
        () ->
            () -> {
              closed.add("faulty");
              throw new IllegalStateException("The folder stays");
            });
  }

  @Test
  void whatCannotBeClosedKeepsNothingElseOpen() {
    SharedResources shared = SharedResources.keepingIdle(5);
    acquire(shared, "a").close();
    acquireFaulty(shared).close();
    acquire(shared, "b").close();

    assertThatThrownBy(shared::close).hasMessage("The folder stays");
    assertThat(closed).containsExactly("a", "faulty", "b");
  }

  @Test
  void whatCannotBeClosedDoesNotFailWhoWantsSomethingElse() {
    SharedResources shared = SharedResources.keepingIdle(1);
    acquireFaulty(shared).close();

    SharedResources.Lease<Thing> other = acquire(shared, "a");
    assertThat(closed).containsExactly("faulty");
    other.close();
    shared.close();
    assertThat(closed).containsExactly("faulty", "a");
  }

  /** As where the heap is full: the next who asks makes it, and it is closed in the end. */
  @Test
  void whatCouldNotBeMadeIsForgotten() {
    SharedResources shared = SharedResources.untilUnused();
    assertThatThrownBy(
            () ->
                shared.acquire(
                    "a",
                    Thing.class,
                    () -> {
                      throw new OutOfMemoryError("full");
                    }))
        .isInstanceOf(OutOfMemoryError.class);
    String sameOrigin = "a";
    shared.acquire(sameOrigin, Thing.class, () -> new Thing("a")).close();
    assertThat(closed).containsExactly("a");
  }
}
