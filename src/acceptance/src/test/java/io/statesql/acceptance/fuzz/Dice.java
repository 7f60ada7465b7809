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
package io.statesql.acceptance.fuzz;

import java.util.List;
import java.util.Random;

/** The choices of one trial, which its seed decides. */
final class Dice {
  private final Random random;

  Dice(long seed) {
    // Neighbouring seeds of a Random begin alike.
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    random.nextLong();
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  int between(int first, int last) {
    return first + random.nextInt(last - first + 1);
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  @SafeVarargs
  final <T> T of(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  <T> T of(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
