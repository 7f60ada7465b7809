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
package io.statesql.sqljob;

import org.apache.flink.core.execution.SavepointFormatType;

/** How a job keeps and saves its state, and how many subtasks it has before and after an edit. */
enum JobForm {
  HEAP_CANONICAL("hashmap", SavepointFormatType.CANONICAL, 2, 3),
  HEAP_NATIVE("hashmap", SavepointFormatType.NATIVE, 2, 2),
  ROCKSDB_CANONICAL("rocksdb", SavepointFormatType.CANONICAL, 2, 2),
  ROCKSDB_NATIVE("rocksdb", SavepointFormatType.NATIVE, 3, 2);

  final String backend;
  final SavepointFormatType format;
  final int before;
  final int after;

  JobForm(String backend, SavepointFormatType format, int before, int after) {
    this.backend = backend;
    this.format = format;
    this.before = before;
    this.after = after;
  }
}
