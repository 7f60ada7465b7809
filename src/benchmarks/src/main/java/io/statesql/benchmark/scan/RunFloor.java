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
package io.statesql.benchmark.scan;

import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.SubtaskState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs a bare loop over a snapshot again and again, with a thread for each of its subtasks. */
public final class RunFloor {
  private RunFloor() {}

  /**
   * The arguments: the snapshot; the floor; whether its state is compressed; how often to run.
   * Prints for each time a line with nanoseconds and sums.
   */
  public static void main(String[] args) throws Exception {
    Floor floor = Floor.valueOf(args[1]);
    boolean compressed = Boolean.parseBoolean(args[2]);
    List<Callable<BareSums>> loops = new ArrayList<>();
    try (RocksDbLinks links = new RocksDbLinks()) {
      Snapshot snapshot = Snapshot.open(args[0]);
      for (KeyedStateHandle handle : handles(snapshot)) {
        if (handle instanceof KeyedStateHandle.KeyGroupsSavepoint savepoint) {
          loops.add(new BareCanonicalLoop(snapshot, savepoint, compressed, floor == Floor.DECODE));
        } else if (handle instanceof KeyedStateHandle.Incremental rocksDb) {
          Path folder = links.folder(snapshot, rocksDb);
          loops.add(new BareRocksDbLoop(folder));
        }
      }
      for (int i = 0; i < Integer.parseInt(args[3]); i++) {
        long begin = System.nanoTime();
        BareSums sums = sum(loops);
        System.out.println(new Answer(System.nanoTime() - begin, sums.toString()).line());
      }
    }
  }

  private static List<KeyedStateHandle> handles(Snapshot snapshot) {
    List<KeyedStateHandle> handles = new ArrayList<>();
    for (OperatorState operator : snapshot.metadata().operators()) {
      for (SubtaskState subtask : operator.subtasks()) {
        if (subtask.managedKeyedState() != null) {
          handles.add(subtask.managedKeyedState());
        }
      }
    }
    return handles;
  }

  private static BareSums sum(List<Callable<BareSums>> loops)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(loops.size());
    try {
      BareSums all = new BareSums();
      for (Future<BareSums> part : threads.invokeAll(loops)) {
        all.add(part.get());
      }
      return all;
    } finally {
      threads.shutdown();
    }
  }
}
