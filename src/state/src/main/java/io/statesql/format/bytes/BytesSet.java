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
package io.statesql.format.bytes;

import io.statesql.type.StateInput;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A set of runs of bytes, which tells without a copy whether it holds one. Immutable. */
public final class BytesSet {
  private final List<byte[]> all;
  private final Set<ByteBuffer> lookup;

  public BytesSet(Collection<byte[]> members) {
    Set<ByteBuffer> distinct = new LinkedHashSet<>();
    members.forEach(bytes -> distinct.add(ByteBuffer.wrap(bytes)));
    this.lookup = distinct;
    this.all = distinct.stream().map(ByteBuffer::array).toList();
  }

  public int size() {
    return all.size();
  }

  /** The members, in the order in which they were given; not to be changed. */
  public List<byte[]> members() {
    return all;
  }

  /** Whether it holds what is left in an input, which stays where it is. */
  public boolean contains(StateInput bytes) {
    if (all.size() == 1) {
      // By far the most frequent case, asked of each entry of a key group: no hash, no object.
      byte[] only = all.get(0);
      int from = bytes.position();
      return Arrays.equals(only, 0, only.length, bytes.array(), from, from + bytes.remaining());
    }
    return lookup.contains(ByteBuffer.wrap(bytes.array(), bytes.position(), bytes.remaining()));
  }
}
