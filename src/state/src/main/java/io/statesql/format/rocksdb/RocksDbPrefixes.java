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
package io.statesql.format.rocksdb;

import io.statesql.format.bytes.BytesSet;
import io.statesql.format.key.CompositeKey;
import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.scan.ElementMatcher;
import io.statesql.format.scan.SplitScan;
import io.statesql.type.StateOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the RocksDB keys begin with that a scan asks for, so that a cursor can go to them at once.
 */
final class RocksDbPrefixes {
  /** Beyond this, keys that may be in any key group are looked for by reading the key groups. */
  private static final int MAX_UNPLACED = 10_000;

  private static final byte[] VOID_NAMESPACE = {0};

  private final KeyedStateMeta state;
  private final ElementMatcher matcher;
  private final int prefixBytes;
  private final List<byte[]> prefixes = new ArrayList<>();

  private RocksDbPrefixes(KeyedStateMeta state, ElementMatcher matcher, int prefixBytes) {
    this.state = state;
    this.matcher = matcher;
    this.prefixBytes = prefixBytes;
  }

  /**
   * The prefixes for one state, as {@link RocksDbCursor} wants them.
   *
   * @return null if all of it is asked for
   */
  static @Nullable List<byte[]> of(SplitScan scan, KeyedStateMeta state, int prefixBytes) {
    ElementMatcher matcher = scan.matcher(state.id());
    int keyGroups = scan.keyGroups().cardinality();
    if (matcher == null || matcher.keys() == null || !canSeek(state, matcher, keyGroups)) {
      return keyGroups == scan.split().keyGroups().count() ? null : ofKeyGroups(scan, prefixBytes);
    }
    RocksDbPrefixes result = new RocksDbPrefixes(state, matcher, prefixBytes);
    scan.keyGroups().stream().forEach(result::addKeyGroup);
    return sorted(result.prefixes);
  }

  private static boolean canSeek(KeyedStateMeta state, ElementMatcher matcher, int keyGroups) {
    // A timer's key stands behind its time.
    return state.kind() != StateKind.TIMER
        && (matcher.keys().byKeyGroup() != null
            || (long) keyGroups * matcher.keys().all().size() <= MAX_UNPLACED);
  }

  private static List<byte[]> ofKeyGroups(SplitScan scan, int prefixBytes) {
    return scan.keyGroups().stream()
        .mapToObj(keyGroup -> CompositeKey.prefix(keyGroup, prefixBytes))
        .toList();
  }

  private void addKeyGroup(int keyGroup) {
    BytesSet keys = matcher.keys().in(keyGroup);
    if (keys == null) {
      return;
    }
    for (byte[] key : keys.members()) {
      StateOutput prefix = new StateOutput();
      prefix.writeBytes(CompositeKey.prefix(keyGroup, prefixBytes));
      prefix.writeBytes(key);
      addNamespaces(prefix, key.length);
    }
  }

  private void addNamespaces(StateOutput prefix, int keyLength) {
    ElementCodecs codecs = state.codecs();
    boolean lengthsFollow = CompositeKey.hasLengths(codecs);
    if (lengthsFollow) {
      CompositeKey.writeLength(keyLength, prefix);
    }
    BytesSet namespaces =
        codecs.isUnwindowed() ? new BytesSet(List.of(VOID_NAMESPACE)) : matcher.namespaces();
    if (namespaces == null) {
      prefixes.add(prefix.toByteArray());
      return;
    }
    int start = prefix.length();
    for (byte[] namespace : namespaces.members()) {
      prefix.truncate(start);
      prefix.writeBytes(namespace);
      if (lengthsFollow) {
        CompositeKey.writeLength(namespace.length, prefix);
      }
      addMapKeys(prefix);
    }
  }

  private void addMapKeys(StateOutput prefix) {
    if (matcher.mapKeys() == null) {
      prefixes.add(prefix.toByteArray());
      return;
    }
    int start = prefix.length();
    for (byte[] mapKey : matcher.mapKeys().members()) {
      prefix.truncate(start);
      prefix.writeBytes(mapKey);
      prefixes.add(prefix.toByteArray());
    }
  }

  /** In RocksDB's order, without those that begin with another: that one leads to them too. */
  private static List<byte[]> sorted(List<byte[]> prefixes) {
    List<byte[]> result = new ArrayList<>(prefixes.size());
    byte[] last = null;
    for (byte[] prefix : prefixes.stream().sorted(Arrays::compareUnsigned).toList()) {
      if (last == null || !startsWith(prefix, last)) {
        result.add(prefix);
        last = prefix;
      }
    }
    return result;
  }

  private static boolean startsWith(byte[] bytes, byte[] prefix) {
    return bytes.length >= prefix.length
        && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }
}
