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
package io.statesql.benchmark.flink;

import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;

/** The operator whose state is measured, and its three states. */
final class UserStates {
  static final String UID = "users";
  static final int MAX_PARALLELISM = 128;
  static final int PARALLELISM = 2;

  private UserStates() {}

  static ValueStateDescriptor<Profile> profile() {
    return new ValueStateDescriptor<>("profile", Types.POJO(Profile.class));
  }

  static ValueStateDescriptor<Long> total() {
    return new ValueStateDescriptor<>("total", Types.LONG);
  }

  /** No page, one or two. */
  static MapStateDescriptor<String, Long> pages() {
    return new MapStateDescriptor<>("pages", Types.STRING, Types.LONG);
  }
}
