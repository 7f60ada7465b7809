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
package io.statesql.snapshot;

import com.google.common.math.LongMath;
import java.util.List;
import java.util.function.ToLongFunction;

/** Sums of sizes that a snapshot states; a damaged one cannot make them overflow. */
final class StateSizes {
  private StateSizes() {}

  static long sum(long... sizes) {
    long total = 0;
    for (long size : sizes) {
      total = LongMath.saturatedAdd(total, size);
    }
    return total;
  }

  static <T> long sum(List<T> parts, ToLongFunction<T> size) {
    long total = 0;
    for (T part : parts) {
      total = LongMath.saturatedAdd(total, size.applyAsLong(part));
    }
    return total;
  }
}
