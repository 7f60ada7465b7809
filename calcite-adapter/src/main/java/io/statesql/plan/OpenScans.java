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

import java.io.Closeable;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.calcite.DataContext;
import org.jspecify.annotations.Nullable;

/**
 * The scans that a run of a statement has open. Calcite's operators do not close what they read
 * when an expression above it fails, so whoever runs the statement closes this when it fails or is
 * closed. Safe for use by many threads.
 */
public final class OpenScans implements Closeable {
  /** The name under which a {@link DataContext} holds those of the statement that runs in it. */
  public static final String RUNNING = "statesqlOpenScans";

  private final Set<RunningScan> scans = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Those of the statement that runs in a context; null if nobody keeps any for it. */
  public static @Nullable OpenScans of(DataContext context) {
    return context.get(RUNNING) instanceof OpenScans scans ? scans : null;
  }

  synchronized void add(RunningScan scan) {
    scans.add(scan);
  }

  synchronized void remove(RunningScan scan) {
    scans.remove(scan);
  }

  private synchronized List<RunningScan> all() {
    return List.copyOf(scans);
  }

  /** Closes the scans that are open, all of them also if one fails; a second time does nothing. */
  @Override
  public void close() {
    RuntimeException failure = null;
    // Not under our lock, which a scan takes while it has its own.
    for (RunningScan scan : all()) {
      try {
        scan.close();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Closes the scans after a failure, which the failures of that join. */
  public void closeAfter(Throwable failure) {
    try {
      close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }
}
