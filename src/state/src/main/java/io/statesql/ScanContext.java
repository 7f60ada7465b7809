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

/**
 * What a scan works within. All scans of a statement share one; a thread of a scan has one of its
 * own, derived from that.
 *
 * @param cancellation tells when to stop
 * @param counters of what the statement reads
 * @param limits of the memory and threads of a scan
 * @param shared what several readers use together
 */
public record ScanContext(
    Cancellation cancellation, ReadCounters counters, ScanLimits limits, SharedResources shared) {

  /** A context whose resources are closed as soon as nobody uses them. */
  public ScanContext(Cancellation cancellation, ReadCounters counters, ScanLimits limits) {
    this(cancellation, counters, limits, SharedResources.untilUnused());
  }

  /** A context with the limits that hold unless a connection sets others. */
  public ScanContext(Cancellation cancellation, ReadCounters counters) {
    this(cancellation, counters, ScanLimits.ofThisProcess());
  }

  /** The same scan within other limits. */
  public ScanContext within(ScanLimits other) {
    return new ScanContext(cancellation, counters, other, shared);
  }

  /** For work outside of any statement: nobody cancels it, and nobody looks at what it reads. */
  public static ScanContext unattended() {
    return new ScanContext(Cancellation.NEVER, new ReadCounters());
  }
}
