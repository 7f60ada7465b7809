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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What several readers of a scan use together, as an opened database. Each thing is made for the
 * first who asks and closed with the last who uses it; safe for use by many threads.
 *
 * <p>One that keeps idle things closes a thing that nobody uses only when another is made and too
 * many are kept already, the one first that was not asked for the longest, or when it is closed
 * itself: readers that come one after the other then find the same.
 */
public final class SharedResources implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(SharedResources.class);

  /** In the order in which they were asked for last. */
  private final Map<Key, Entry> entries = new LinkedHashMap<>();

  /** How many idle things are kept while another is made; 0 to keep none at any time. */
  private int idleLimit;

  private SharedResources(int idleLimit) {
    this.idleLimit = idleLimit;
  }

  /** Things are closed as soon as nobody uses them, so that this need not be closed. */
  public static SharedResources untilUnused() {
    return new SharedResources(0);
  }

  /** Idle things are kept until another is made; to be closed when all readers are. */
  public static SharedResources keepingIdle() {
    return keepingIdle(1);
  }

  /**
   * Idle things are kept; to be closed when they are not needed any more.
   *
   * @param limit how many things are kept at least, and at most while nobody uses any; 1 or more
   */
  public static SharedResources keepingIdle(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("To keep nothing idle, use untilUnused()");
    }
    return new SharedResources(limit);
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
    } catch (RuntimeException | Error e) {
      try {
        release(entry);
      } catch (RuntimeException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  private Entry enter(Key key) {
    List<Entry> idle = List.of();
    Entry entry;
    synchronized (entries) {
      entry = entries.remove(key);
      if (entry == null) {
        idle = removeIdle(idleLimit - 1);
        entry = new Entry(key);
      }
      entries.put(key, entry);
      entry.users++;
    }
    try {
      closeAll(idle);
    } catch (RuntimeException e) {
      // What others left behind is no reason to fail for who wants something else.
      LOG.warn("Something that nobody used any more could not be closed", e);
    }
    return entry;
  }

  /** Takes out what nobody uses, while there are more things than shall be kept. */
  private List<Entry> removeIdle(int kept) {
    List<Entry> idle = new ArrayList<>();
    Iterator<Entry> oldest = entries.values().iterator();
    while (entries.size() > kept && oldest.hasNext()) {
      Entry entry = oldest.next();
      if (entry.users == 0) {
        oldest.remove();
        idle.add(entry);
      }
    }
    return idle;
  }

  private void release(Entry entry) {
    synchronized (entries) {
      entry.users--;
      if (entry.users > 0 || (idleLimit > 0 && entry.thing != null)) {
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

  /** Closes all of them, also if one fails. */
  private static void closeAll(List<Entry> idle) {
    RuntimeException failure = null;
    for (Entry entry : idle) {
      try {
        close(entry);
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

  /** Closes what is idle, and from now on each thing with the last who uses it. */
  @Override
  public void close() {
    List<Entry> idle;
    synchronized (entries) {
      idleLimit = 0;
      idle = removeIdle(0);
    }
    closeAll(idle);
  }
}
