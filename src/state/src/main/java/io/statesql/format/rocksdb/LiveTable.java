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
package io.statesql.format.rocksdb;

/**
 * A table as the log of tables has it.
 *
 * @param recordStart where in the log that stands
 * @param smallest the smallest key, with its sequence number
 * @param largest likewise
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and read by those alone who made it
record LiveTable(
    long recordStart,
    int level,
    long number,
    long size,
    byte[] smallest,
    byte[] largest,
    long largestSequence) {
  private static final int NUMBER_WIDTH = 6;

  String fileName() {
    String digits = Long.toUnsignedString(number);
    return "0".repeat(Math.max(0, NUMBER_WIDTH - digits.length())) + digits + ".sst";
  }
}
