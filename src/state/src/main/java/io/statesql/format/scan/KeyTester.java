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

import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.type.StateInput;

/** Puts the keys of one state to a test, as long as that is of use. Not thread-safe. */
final class KeyTester {
  /** After so many keys it is known whether the test spares work. */
  private static final int TRIAL = 1024;

  private final ElementReader reader;
  private final KeyTest test;
  private final Object[] values;
  private int tried;
  private int passed;
  private boolean isUseless;

  KeyTester(KeyedStateMeta state, KeyTest test) {
    this.reader = new ElementReader(state, test.columns());
    this.test = test;
    this.values = new Object[test.columns().size()];
  }

  /** Whether the key of an element may be wanted; the key stays where it is. */
  boolean passes(KeyedElement element) {
    if (isUseless) {
      return true;
    }
    boolean passes = test(element);
    if (tried < TRIAL) {
      tried++;
      passed += passes ? 1 : 0;
      isUseless = tried == TRIAL && passed > TRIAL / 2;
    }
    return passes;
  }

  private boolean test(KeyedElement element) {
    StateInput key = element.key;
    int position = key.position();
    try {
      reader.read(element, values, 0);
      return test.passes().test(values);
    } catch (RuntimeException e) {
      // The row of this key is asked again, and fails where its place can be told, or not at all.
      return true;
    } finally {
      key.position(position);
    }
  }
}
