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
package io.statesql.format.model;

import io.statesql.type.Codec;
import io.statesql.type.composite.TimeWindowCodec;
import io.statesql.type.composite.VoidNamespaceCodec;

/**
 * The codecs of one state's {@link KeyedElement}s.
 *
 * @param key null for operator state
 * @param namespace of a TIMER, that of its element; null for operator state
 * @param mapKey null for all kinds but MAP and BROADCAST
 * @param value of one value, list element or map value, within the TTL wrapper if there is one;
 *     null for TIMER
 * @param hasTtl whether eight bytes of last access time stand before each value
 * @param wholeList whether the bytes of a whole list are one value, because the end of an element
 *     cannot be found without its class
 */
public record ElementCodecs(
    Codec key, Codec namespace, Codec mapKey, Codec value, boolean hasTtl, boolean wholeList) {

  /** Whether the namespace is a window of a start and an end. */
  public boolean hasTimeWindow() {
    return namespace instanceof TimeWindowCodec;
  }

  /** Whether the state is scoped to its key alone. */
  public boolean isUnwindowed() {
    return namespace instanceof VoidNamespaceCodec;
  }

  /**
   * Whether key, namespace and map key can be told apart where they are stored one after the other.
   * Not so for a key whose end cannot be found, unless only a fixed number of bytes follows it.
   */
  public boolean isSeparable() {
    if (!namespace.isDelimited()) {
      return false;
    }
    return key.isDelimited() || (namespaceBytes() >= 0 && mapKey == null);
  }

  /** Bytes that every namespace takes, or -1 if they differ. */
  public int namespaceBytes() {
    // VoidNamespaceSerializer declares a length of 0 but writes one byte.
    return isUnwindowed() ? 1 : namespace.declaredLength();
  }
}
