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
package io.statesql.plan;

import io.statesql.ReadCounters;
import io.statesql.ScanContext;
import io.statesql.ScanLimits;
import org.apache.calcite.DataContext;

/** What the scans of a statement work within, for generated code that knows its context alone. */
public final class StatementScans {
  /** The name under which a {@link DataContext} may hold the {@link ReadCounters} to count in. */
  public static final String COUNTERS = "statesqlReadCounters";

  /** The name under which a {@link DataContext} may hold the {@link ScanLimits} of each scan. */
  public static final String LIMITS = "statesqlScanLimits";

  private StatementScans() {}

  /** For the statement that runs in a context. */
  public static ScanContext of(DataContext context) {
    ReadCounters counters =
        context.get(COUNTERS) instanceof ReadCounters shared ? shared : new ReadCounters();
    ScanLimits limits =
        context.get(LIMITS) instanceof ScanLimits set ? set : ScanLimits.ofThisProcess();
    return new ScanContext(StatementCancellation.of(context), counters, limits);
  }
}
