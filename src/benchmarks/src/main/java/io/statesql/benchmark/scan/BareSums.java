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
package io.statesql.benchmark.scan;

/** The sums of the question about all states. */
final class BareSums {
  long entries;
  long bytes;
  long profiles;
  long visits;
  double balance;
  long nameLength;
  long total;
  long pages;
  long pageSum;

  void add(BareSums other) {
    entries += other.entries;
    bytes += other.bytes;
    profiles += other.profiles;
    visits += other.visits;
    balance += other.balance;
    nameLength += other.nameLength;
    total += other.total;
    pages += other.pages;
    pageSum += other.pageSum;
  }

  /** The answer to {@link Question#SCAN}, or the number of entries where none were decoded. */
  @Override
  public String toString() {
    return profiles == 0
        ? String.valueOf(entries)
        : profiles
            + ","
            + visits
            + ","
            + (long) balance
            + ","
            + nameLength
            + ","
            + total
            + ","
            + pages
            + ","
            + pageSum;
  }
}
