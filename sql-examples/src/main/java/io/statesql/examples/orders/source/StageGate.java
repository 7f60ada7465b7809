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
package io.statesql.examples.orders.source;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Holds a {@link LaneSource} at an index, so that a snapshot can be taken of a known prefix of the
 * input, and tells when every lane has got there. Thread-safe.
 *
 * <p>Whoever runs the job opens a gate under a name, and the readers find it by that name: Flink
 * makes them from serialized bytes, so a shared object is reachable through the class alone. The
 * job must run in the JVM that opened the gate.
 */
public final class StageGate implements AutoCloseable {

  private static final Map<String, StageGate> OPEN = new ConcurrentHashMap<>();

  private final String name;
  private final int lanes;
  private final Map<Integer, Long> reached = new HashMap<>();
  private long limit;
  private CompletableFuture<Void> raised = new CompletableFuture<>();

  private StageGate(String name, int lanes) {
    this.name = name;
    this.lanes = lanes;
  }

  /** Opens a gate that lets nothing through yet; close it when the job has ended. */
  public static StageGate open(String name, int lanes) {
    StageGate gate = new StageGate(name, lanes);
    if (OPEN.putIfAbsent(name, gate) != null) {
      throw new IllegalArgumentException("A gate called '" + name + "' is open already");
    }
    return gate;
  }

  static StageGate named(String name) {
    StageGate gate = OPEN.get(name);
    if (gate == null) {
      throw new IllegalStateException(
          "No gate called '" + name + "' in this JVM: run the job through SampleSnapshots");
    }
    return gate;
  }

  /** Lets the indexes below the limit through. */
  public synchronized void raise(long newLimit) {
    limit = newLimit;
    raised.complete(null);
    raised = new CompletableFuture<>();
  }

  /** Waits until every lane has passed all indexes below the limit; false if it takes too long. */
  public synchronized boolean awaitReached(long index, Duration timeout)
      throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (reached.values().stream().filter(next -> next >= index).count() < lanes) {
      long millis = (deadline - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        return false;
      }
      wait(millis);
    }
    return true;
  }

  synchronized long limit() {
    return limit;
  }

  synchronized void reached(int lane, long index) {
    reached.put(lane, index);
    notifyAll();
  }

  /** Completes when the limit is, or becomes, another than the one given. */
  synchronized CompletableFuture<Void> raisedAbove(long known) {
    return limit > known ? CompletableFuture.completedFuture(null) : raised;
  }

  @Override
  public void close() {
    OPEN.remove(name, this);
  }
}
