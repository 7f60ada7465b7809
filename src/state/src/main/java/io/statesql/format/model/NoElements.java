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

import io.statesql.StateSqlException;
import io.statesql.type.MalformedValueException;

/** The elements of a split of which no state is wanted: none, and no file is opened for them. */
public final class NoElements implements KeyedElements {
  private final KeyedSplit split;
  private final KeyedElement element = new KeyedElement();

  public NoElements(KeyedSplit split) {
    this.split = split;
  }

  @Override
  public boolean next() {
    return false;
  }

  @Override
  public KeyedElement element() {
    return element;
  }

  @Override
  public StateSqlException malformed(MalformedValueException fault) {
    return SplitFault.malformed(split, null, -1, false, fault);
  }

  @Override
  public void close() {}
}
