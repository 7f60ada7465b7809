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

import io.statesql.type.serializer.StoredSerializer;

/**
 * What the header of one operator state handle says of one state.
 *
 * @param name as the job registered it
 * @param kind SPLIT_LIST, UNION_LIST or BROADCAST
 * @param key of a BROADCAST entry; null for the other kinds
 * @param value of one list element or one BROADCAST entry
 * @param codecs with map key and value, or value alone
 */
public record OperatorStateMeta(
    String name, StateKind kind, StoredSerializer key, StoredSerializer value, ElementCodecs codecs)
    implements StateMeta {

  /** Always null: operator state has no namespaces. */
  @Override
  public StoredSerializer namespace() {
    return null;
  }

  /**
   * Whether the elements can be told apart. A list stores where each element begins; the entries of
   * a BROADCAST state stand one after the other.
   */
  public boolean isSeparable() {
    return kind != StateKind.BROADCAST
        || (codecs.mapKey().isDelimited() && codecs.value().isDelimited());
  }
}
