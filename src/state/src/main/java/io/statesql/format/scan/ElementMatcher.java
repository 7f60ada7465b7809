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
package io.statesql.format.scan;

import io.statesql.format.bytes.BytesSet;
import io.statesql.format.model.KeyedElement;
import org.jspecify.annotations.Nullable;

/**
 * Which elements of one state of one split a scan asks for, in stored bytes. Not thread-safe.
 *
 * @param keys null for any
 * @param namespaces null for any
 * @param mapKeys null for any
 * @param keyTester null for none
 */
public record ElementMatcher(
    @Nullable StoredKeys keys,
    @Nullable BytesSet namespaces,
    @Nullable BytesSet mapKeys,
    @Nullable KeyTester keyTester) {

  /** Whether the element may be of such a key and namespace. */
  public boolean matchesScope(KeyedElement element) {
    if (keys != null) {
      BytesSet inKeyGroup = keys.in(element.keyGroup);
      if (inKeyGroup == null || !inKeyGroup.contains(element.key)) {
        return false;
      }
    }
    return (namespaces == null || namespaces.contains(element.namespace))
        && (keyTester == null || keyTester.passes(element));
  }

  public boolean matchesMapKey(KeyedElement element) {
    return mapKeys == null || mapKeys.contains(element.mapKey);
  }

  public boolean matches(KeyedElement element) {
    return matchesScope(element) && matchesMapKey(element);
  }
}
