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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The splits that a host reads at the moment, for those who want to know where state is in use.
 * Safe for use by many threads.
 */
public final class OpenSplits {
  private static final Logger LOG = LoggerFactory.getLogger(OpenSplits.class);

  private final Map<OpenSplit, Integer> readers = new HashMap<>();
  private final List<Listener> listeners = new ArrayList<>();

  /** Hears of splits, in the order in which they are opened and closed; must not block. */
  public interface Listener {
    /** The first reader of a split came. */
    void opened(OpenSplit split);

    /** The last reader of a split went. */
    void closed(OpenSplit split);
  }

  /**
   * A split.
   *
   * @param snapshot the path of the snapshot
   * @param operatorId in hex
   * @param store which state of the subtask: keyed or operator state
   */
  public record OpenSplit(String snapshot, String operatorId, int subtask, String store) {}

  OpenSplits() {}

  /** Tells a listener of what is open, and from now on of every change. */
  public synchronized void addListener(Listener listener) {
    listeners.add(listener);
    for (OpenSplit split : readers.keySet()) {
      tell(listener, split, true);
    }
  }

  /** Tells a listener nothing any more. */
  public synchronized void removeListener(Listener listener) {
    listeners.remove(listener);
  }

  /** A reader came to a split; closing the result says that it went. */
  public synchronized Closing open(OpenSplit split) {
    if (readers.merge(split, 1, Integer::sum) == 1) {
      listeners.forEach(listener -> tell(listener, split, true));
    }
    return new Closing(this, split);
  }

  private synchronized void close(OpenSplit split) {
    if (readers.merge(split, -1, Integer::sum) == 0) {
      readers.remove(split);
      listeners.forEach(listener -> tell(listener, split, false));
    }
  }

  /** A listener that fails must not stop the query. */
  private static void tell(Listener listener, OpenSplit split, boolean isOpen) {
    try {
      if (isOpen) {
        listener.opened(split);
      } else {
        listener.closed(split);
      }
    } catch (RuntimeException e) {
      LOG.warn("The state of {} cannot be reported", split, e);
    }
  }

  /** What a reader closes when it goes. A second time does nothing. */
  public static final class Closing implements SharedResources.Resource {
    private final OpenSplits owner;
    private final OpenSplit split;
    private boolean isClosed;

    private Closing(OpenSplits owner, OpenSplit split) {
      this.owner = owner;
      this.split = split;
    }

    @Override
    public void close() {
      synchronized (owner) {
        if (!isClosed) {
          isClosed = true;
          owner.close(split);
        }
      }
    }
  }
}
