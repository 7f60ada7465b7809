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
package io.statesql.type.avro;

import io.statesql.type.StateInput;

/**
 * Walks the elements of an Avro array or map: blocks of a count and elements, ended by a zero.
 * Flink writes one block and reads any number.
 */
final class AvroBlocks {
  private AvroBlocks() {}

  /** Reads or skips one element. */
  @FunctionalInterface
  interface Element<E extends Exception> {
    void take(StateInput in) throws E;
  }

  /** Takes note of more elements that are the same as the last one. */
  @FunctionalInterface
  interface Repetition<E extends Exception> {
    void take(int count) throws E;
  }

  /**
   * Takes all elements.
   *
   * @param repeated is told how many more elements a block has when its first one takes no byte,
   *     since no element of such a type ever does: they cannot be checked against what is left
   */
  static <E extends Exception> void forEach(
      StateInput in, Element<E> element, Repetition<E> repeated) throws E {
    int count = AvroInput.readBlockCount(in);
    while (count > 0) {
      int start = in.position();
      element.take(in);
      int more = count - 1;
      if (in.position() == start) {
        repeated.take(more);
      } else {
        if (more > in.remaining()) {
          throw in.malformed(
              "a count of %d cannot be right: only %d bytes are left", count, in.remaining());
        }
        for (int i = 0; i < more; i++) {
          element.take(in);
        }
      }
      count = AvroInput.readBlockCount(in);
    }
  }
}
