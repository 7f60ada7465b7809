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
package io.statesql.format.rocksdb.database;

import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.Deque;
import org.rocksdb.AbstractNativeReference;

/** Native objects of one owner, which closes them from the last to the first. Not thread-safe. */
public final class NativeReferences implements Closeable {
  private final Deque<AbstractNativeReference> made = new ArrayDeque<>();

  /** Takes over an object. */
  public <T extends AbstractNativeReference> T own(T object) {
    made.push(object);
    return object;
  }

  /** Closes everything; a second time does nothing. */
  @Override
  public void close() {
    while (!made.isEmpty()) {
      made.pop().close();
    }
  }
}
