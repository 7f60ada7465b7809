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
package io.statesql.format.rows;

import io.statesql.Cancellation;
import io.statesql.OpenSplits;
import io.statesql.SharedResources;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.RowCursor;
import io.statesql.format.rows.KeyRowReader.KeyRow;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.scan.KeyPart;
import io.statesql.format.split.KeyedSplits;
import io.statesql.snapshot.KeyGroupRange;
import io.statesql.snapshot.Snapshot;
import io.statesql.type.StateInput;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The keys of a split whose elements come state by state within each key group, a row each. Takes
 * memory for the rows of one key group.
 *
 * <p>Where these do not fit, the keys of half of all hashes are kept, again and again until they
 * fit, and for the others the key group is read anew: as often as there are parts that fit. What
 * does not belong to the present part is passed over without being decoded.
 */
final class GatheredKeyRows implements RowCursor {
  private final Snapshot snapshot;
  private final KeyedSplit split;
  private final ElementCondition condition;
  private final KeyedElements elements;
  private final SharedResources.Lease<OpenSplits.Closing> closing;
  private final KeyRowReader reader;
  private final Cancellation cancellation;
  private final long limit;
  private final Map<ByteBuffer, KeyRow> gathered = new LinkedHashMap<>();

  /** About how much memory {@link #gathered} takes. */
  private long bytes;

  /** Which keys of the present key group are gathered, and those for which it is read again. */
  private KeyPart part = KeyPart.ALL;

  private final Deque<KeyPart> otherParts = new ArrayDeque<>();
  private int keyGroup = -1;

  private Iterator<KeyRow> rows = Collections.emptyIterator();
  private Object[] row;

  /** Whether the present element belongs to a key group that is not yet gathered. */
  private boolean ahead;

  private boolean ended;

  /**
   * @param condition what is wanted of the keys
   * @param elements of the split that meet it; closed with this cursor
   * @param limit how much memory the rows that are gathered may take, in bytes
   */
  GatheredKeyRows(
      Snapshot snapshot,
      KeyedSplit split,
      ElementCondition condition,
      KeyedElements elements,
      SharedResources.Lease<OpenSplits.Closing> closing,
      KeyRowReader reader,
      long limit) {
    this.snapshot = snapshot;
    this.split = split;
    this.condition = condition;
    this.elements = elements;
    this.closing = closing;
    this.reader = reader;
    this.cancellation = snapshot.scan().cancellation();
    this.limit = limit;
  }

  @Override
  public boolean next() {
    while (!rows.hasNext()) {
      gathered.clear();
      bytes = 0;
      if (!otherParts.isEmpty()) {
        gatherPart(otherParts.pop());
      } else if (!gatherKeyGroup()) {
        return false;
      }
      rows = gathered.values().iterator();
    }
    row = rows.next().values();
    return true;
  }

  private boolean gatherKeyGroup() {
    if (!ahead && !advance()) {
      return false;
    }
    keyGroup = elements.element().keyGroup();
    part = KeyPart.ALL;
    do {
      add(elements);
    } while (advance() && elements.element().keyGroup() == keyGroup);
    return true;
  }

  private boolean advance() {
    if (ended) {
      return false;
    }
    cancellation.check();
    ahead = elements.next();
    ended = !ahead;
    return ahead;
  }

  private void gatherPart(KeyPart wanted) {
    part = wanted;
    KeyedSplit one = split.within(new KeyGroupRange(keyGroup, 1));
    try (KeyedElements again = KeyedSplits.open(snapshot, one, reader.wanted(), condition)) {
      while (again.next()) {
        cancellation.check();
        add(again);
      }
    }
  }

  private void add(KeyedElements from) {
    StateInput key = from.element().key();
    ByteBuffer keyBytes = ByteBuffer.wrap(key.array(), key.position(), key.remaining());
    if (!part.contains(keyBytes)) {
      return;
    }
    KeyRow target = gathered.get(keyBytes);
    long before = 0;
    if (target == null) {
      byte[] copy = Arrays.copyOfRange(key.array(), key.position(), key.limit());
      target = reader.newRow(from);
      gathered.put(ByteBuffer.wrap(copy), target);
    } else {
      before = target.bytes();
    }
    reader.add(from, target);
    bytes += target.bytes() - before;
    while (bytes > limit && gathered.size() > 1 && part.canBeHalved()) {
      halve();
    }
  }

  /** Keeps the keys of half of the present part and leaves the other half for later. */
  private void halve() {
    otherParts.push(part.upperHalf());
    part = part.lowerHalf();
    Iterator<Map.Entry<ByteBuffer, KeyRow>> entries = gathered.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<ByteBuffer, KeyRow> entry = entries.next();
      if (!part.contains(entry.getKey())) {
        bytes -= entry.getValue().bytes();
        entries.remove();
      }
    }
  }

  @Override
  public Object[] row() {
    return row;
  }

  @Override
  public int keyGroup() {
    return keyGroup;
  }

  @Override
  public void close() {
    try (closing) {
      elements.close();
    }
  }
}
