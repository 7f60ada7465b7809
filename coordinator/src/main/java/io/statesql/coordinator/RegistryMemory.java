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

import java.util.HashMap;
import java.util.Map;

/**
 * What a registry takes of the heap, roughly, which is bounded. It has one copy of each text, for
 * those of one operator are the same for all its partitions. Guarded by the lock of its registry.
 */
final class RegistryMemory {
  /** An instance, a run or an executor, with its place in the maps and without its texts. */
  private static final int ENTRY_BYTES = 200;

  /** A text of no characters, with its place in the map. */
  private static final int TEXT_BYTES = 120;

  private final long maxBytes;
  private final Map<String, Shared> texts = new HashMap<>();
  private long bytes;

  private static final class Shared {
    private final String text;
    private int holders;

    Shared(String text) {
      this.text = text;
    }
  }

  RegistryMemory(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Checks that there is room for an entry with some texts, before anything of it is kept.
   *
   * @param texts each may be null
   * @throws RegistryFullException if there is not
   */
  void requireRoomForEntry(String... texts) {
    requireRoom(ENTRY_BYTES, texts);
  }

  /**
   * Checks that there is room for some texts, for an entry that is there already; those that are
   * held need none.
   *
   * @param texts each may be null
   * @throws RegistryFullException if there is not
   */
  void requireRoomForTexts(String... texts) {
    requireRoom(0, texts);
  }

  private void requireRoom(long entry, String... added) {
    long needed = entry;
    for (String text : added) {
      if (text != null && !texts.containsKey(text)) {
        needed += size(text);
      }
    }
    if (bytes + needed > maxBytes) {
      throw new RegistryFullException(
          "The coordinator holds "
              + (maxBytes >> 20)
              + " MB, which is its limit; with more memory it holds more.");
    }
  }

  private static long size(String text) {
    return TEXT_BYTES + (long) Character.BYTES * text.length();
  }

  void addEntry() {
    bytes += ENTRY_BYTES;
  }

  void removeEntry() {
    bytes -= ENTRY_BYTES;
  }

  /** The copy of a text, which is kept until it was released as often as it was held. */
  String hold(String text) {
    Shared shared = texts.get(text);
    if (shared == null) {
      shared = new Shared(text);
      texts.put(text, shared);
      bytes += size(text);
    }
    shared.holders++;
    return shared.text;
  }

  /**
   * Releases a text that was held.
   *
   * @param text null for none
   */
  void release(String text) {
    if (text == null) {
      return;
    }
    Shared shared = texts.get(text);
    if (--shared.holders == 0) {
      texts.remove(text);
      bytes -= size(text);
    }
  }

  /** How much is held; 0 if the registry is empty. */
  long bytes() {
    return bytes;
  }
}
