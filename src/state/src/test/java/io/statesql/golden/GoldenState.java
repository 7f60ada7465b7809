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
package io.statesql.golden;

/**
 * A state that Flink restored, also one that holds nothing.
 *
 * @param operator operator id, 32 hex digits
 * @param kind the state kind's name
 * @param entries how many entries all subtasks hold together
 */
public record GoldenState(String operator, String name, String kind, int entries) {}
