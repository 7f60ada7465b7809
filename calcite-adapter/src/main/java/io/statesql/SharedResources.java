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

import java.io.Closeable;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What several readers of a scan use together, as an opened database. Each thing is made for the
 * first who asks and closed with the last who uses it; safe for use by many threads.
 *
 * <p>One that keeps idle things closes a thing that nobody uses only when another is made, or when
 * it is closed itself: readers that come one after the other then find the same.
 */
public final class SharedResources implements Closeable {
  private final boolean keepsIdle;
  private final Map<Key, Entry> entries = new HashMap<>();

  private SharedResources(boolean keepsIdle) {
    this.keepsIdle = keepsIdle;
  }

  /** Things are closed as soon as nobody uses them, so that this need not be closed. */
  public static SharedResources untilUnused() {
    return new SharedResources(false);
  }

  /** Idle things are kept; to be closed when all readers are. */
  public static SharedResources keepingIdle() {
    return new SharedResources(true);
  }

  /** A thing that readers share. */
  public interface Resource extends Closeable {
    @Override
    void close();
  }

  /** What a thing of a type is made from, compared by identity: equality can be costly. */
  private record Key(Object origin, Class<?> type) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key that && origin == that.origin && type == that.type;
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(origin) + type.hashCode();
    }
  }

  /** One thing and its users. */
  private static final class Entry {
    private final Key key;
    private Resource thing;
    private int users;

    Entry(Key key) {
      this.key = key;
    }
  }

  /**
   * The right to use a thing, until it is closed.
   *
   * @param <T> the type of the thing
   */
  public final class Lease<T extends Resource> implements Closeable {
    private final Entry entry;
    private final T thing;
    private boolean isClosed;

    private Lease(Entry entry, T thing) {
      this.entry = entry;
      this.thing = thing;
    }

    public T thing() {
      return thing;
    }

    /** Gives the thing back; a second time does nothing. */
    @Override
    public void close() {
      if (!isClosed) {
        isClosed = true;
        release(entry);
      }
    }
  }

  /**
   * Makes a thing, or takes the one of its type that was made from the same.
   *
   * @param origin what it is made from, compared by identity
   * @param maker called by one thread at a time
   */
  public <T extends Resource> Lease<T> acquire(Object origin, Class<T> type, Supplier<T> maker) {
    Entry entry = enter(new Key(origin, type));
    try {
      synchronized (entry) {
        if (entry.thing == null) {
          entry.thing = maker.get();
        }
        return new Lease<>(entry, type.cast(entry.thing));
      }
    } catch (RuntimeException e) {
      release(entry);
      throw e;
    }
  }

  private Entry enter(Key key) {
    Entry idle = null;
    Entry entry;
    synchronized (entries) {
      entry = entries.get(key);
      if (entry == null) {
        idle = removeIdle();
        entry = new Entry(key);
        entries.put(key, entry);
      }
      entry.users++;
    }
    if (idle != null) {
      close(idle);
    }
    return entry;
  }

  private Entry removeIdle() {
    for (Entry entry : entries.values()) {
      if (entry.users == 0) {
        entries.remove(entry.key);
        return entry;
      }
    }
    return null;
  }

  private void release(Entry entry) {
    synchronized (entries) {
      entry.users--;
      if (entry.users > 0 || (keepsIdle && entry.thing != null)) {
        return;
      }
      entries.remove(entry.key);
    }
    close(entry);
  }

  private static void close(Entry entry) {
    if (entry.thing != null) {
      entry.thing.close();
    }
  }

  /** Closes what is idle. */
  @Override
  public void close() {
    Entry idle;
    do {
      synchronized (entries) {
        idle = removeIdle();
      }
      if (idle != null) {
        close(idle);
      }
    } while (idle != null);
  }
}
