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

import java.util.Optional;

/**
 * Which location is asked for.
 *
 * @param runId the run, or empty for the one whose first report is newest among those that have the
 *     store active
 */
public record LocationQuery(StoreId store, Optional<String> runId) {
  /**
   * @throws IllegalArgumentException if a part is missing, too long or not printable
   */
  public LocationQuery {
    if (store == null) {
      throw new IllegalArgumentException("store is missing");
    }
    runId.ifPresent(run -> Checks.text("runId", run, Checks.MAX_NAME));
  }

  public static LocationQuery of(StoreInstanceId id) {
    return new LocationQuery(id.store(), Optional.of(id.runId()));
  }

  public static LocationQuery ofAnyRun(StoreId store) {
    return new LocationQuery(store, Optional.empty());
  }

  @Override
  public String toString() {
    return store + runId.map(run -> " of run " + run).orElse(" of any run");
  }
}
