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
package io.statesql.server;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import javax.management.ListenerNotFoundException;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says when the heap is full of what is in use: from there on the JVM would do little but collect,
 * until an allocation fails, of whichever statement. It looks after each major collection.
 */
final class MemoryGuard implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryGuard.class);
  private static final double FULL = 0.85;
  private static final String MAJOR = "end of major GC";

  private final NotificationListener listener;

  /**
   * @param whenFull called by a thread of the JVM, some time after the collection; is given the
   *     {@linkplain #uptimeMillis time} at which that ended, and soon returns
   */
  MemoryGuard(LongConsumer whenFull) {
    Set<String> heap =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(pool -> pool.getName())
            .collect(Collectors.toUnmodifiableSet());
    this.listener =
        (notification, handback) -> {
          if (notification
              .getType()
              .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            GarbageCollectionNotificationInfo collection =
                GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
            if (isFull(collection, heap)) {
              whenFull.accept(collection.getGcInfo().getEndTime());
            }
          }
        };
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) collector).addNotificationListener(listener, null, null);
    }
  }

  /** How long the JVM runs, by the clock that collections have. */
  static long uptimeMillis() {
    return ManagementFactory.getRuntimeMXBean().getUptime();
  }

  private static boolean isFull(GarbageCollectionNotificationInfo collection, Set<String> heap) {
    long used =
        collection.getGcInfo().getMemoryUsageAfterGc().entrySet().stream()
            .filter(pool -> heap.contains(pool.getKey()))
            .map(pool -> pool.getValue())
            .mapToLong(MemoryUsage::getUsed)
            .sum();
    return collection.getGcAction().equals(MAJOR) && used > FULL * Runtime.getRuntime().maxMemory();
  }

  @Override
  public void close() {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      try {
        ((NotificationEmitter) collector).removeNotificationListener(listener);
      } catch (ListenerNotFoundException e) {
        LOG.debug("Nobody listened any more", e);
      }
    }
  }
}
