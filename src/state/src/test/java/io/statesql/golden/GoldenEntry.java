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

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One entry of a state as Flink restored it. Members that its kind does not have are null; a JSON
 * null ({@link JsonNode#isNull()}) is a value that is null, or no namespace.
 *
 * @param operator operator id, 32 hex digits
 * @param kind the state kind's name
 * @param subtask where an operator state's entry lies
 * @param keyGroup where a keyed state's entry lies
 * @param index position in the list
 * @param value for a timer its timestamp in milliseconds
 */
public record GoldenEntry(
    String operator,
    String state,
    String kind,
    Integer subtask,
    Integer keyGroup,
    JsonNode key,
    JsonNode namespace,
    JsonNode mapKey,
    Integer index,
    JsonNode value) {

  static GoldenEntry of(JsonNode line) {
    return new GoldenEntry(
        line.required("operator").textValue(),
        line.required("state").textValue(),
        line.required("kind").textValue(),
        number(line, "subtask"),
        number(line, "keyGroup"),
        line.get("key"),
        line.get("namespace"),
        line.get("mapKey"),
        number(line, "index"),
        line.required("value"));
  }

  private static Integer number(JsonNode line, String member) {
    return line.has(member) ? line.get(member).intValue() : null;
  }
}
