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
package io.statesql.type.objectstream;

import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import java.util.ArrayList;
import java.util.List;

/** The contents of one Java object stream by their numbers, by which later ones refer to them. */
final class StreamHandles {
  private static final int BASE_HANDLE = 0x7E0000;

  private final StateInput input;
  private final List<Object> contents = new ArrayList<>();

  StreamHandles(StateInput input) {
    this.input = input;
  }

  /** Gives the next number to a content. */
  <T> T add(T content) {
    contents.add(content);
    return content;
  }

  /**
   * Gives the next number to a content that is not yet known, for what it holds comes after it.
   *
   * @param unknown what a reference finds until then
   * @return the number, see {@link #set}
   */
  int reserve(Object unknown) {
    contents.add(unknown);
    return contents.size() - 1;
  }

  void set(int handle, Object content) {
    contents.set(handle, content);
  }

  /**
   * Reads a number, and finds the content.
   *
   * @throws MalformedValueException if it is not there, or not of the type
   */
  <T> T readReference(Class<T> type) {
    long index = (long) input.readInt() - BASE_HANDLE;
    if (index < 0 || index >= contents.size() || !type.isInstance(contents.get((int) index))) {
      throw input.malformed("a reference points to nothing");
    }
    return type.cast(contents.get((int) index));
  }
}
