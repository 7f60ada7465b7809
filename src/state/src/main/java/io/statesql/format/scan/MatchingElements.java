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

import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.type.MalformedValueException;

/** Those elements of others that a scan asks for. */
public final class MatchingElements implements KeyedElements {
  private final KeyedElements all;
  private final SplitScan scan;

  /**
   * @param all closed with this reader
   */
  public MatchingElements(KeyedElements all, SplitScan scan) {
    this.all = all;
    this.scan = scan;
  }

  @Override
  public boolean next() {
    while (all.next()) {
      ElementMatcher matcher = scan.matcher(all.element().state().id());
      if (matcher == null || matcher.matches(all.element())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public KeyedElement element() {
    return all.element();
  }

  @Override
  public StateSqlException malformed(MalformedValueException fault) {
    return all.malformed(fault);
  }

  @Override
  public void close() {
    all.close();
  }
}
