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

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsFirst;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;

/**
 * One line of a golden file: an entry of a state, or, with {@code entries}, the state itself.
 *
 * @param operator operator id, 32 hex digits
 * @param kind the state kind's name
 * @param entries how many entries the state has in all subtasks; null in the line of an entry
 * @param subtask where an operator state's entry lies; null for keyed state
 * @param keyGroup where a keyed state's entry lies; null for operator state
 * @param key rendered; null for operator state
 * @param namespace rendered, JSON null for none; null for operator state
 * @param mapKey rendered; null where the kind is neither MAP nor BROADCAST
 * @param index position in the list; null where the kind is no list
 * @param value rendered, for a timer its timestamp; null in the line of a state
 */
record GoldenLine(
    String operator,
    String state,
    String kind,
    Integer entries,
    Integer subtask,
    Integer keyGroup,
    JsonNode key,
    JsonNode namespace,
    JsonNode mapKey,
    Integer index,
    JsonNode value)
    implements Comparable<GoldenLine> {

  private static final Comparator<Integer> NUMBER = nullsFirst(naturalOrder());

  private static final Comparator<GoldenLine> ORDER =
      comparing(GoldenLine::operator)
          .thenComparing(GoldenLine::state)
          .thenComparing(GoldenLine::kind)
          .thenComparing(GoldenLine::entries, Comparator.nullsLast(naturalOrder()))
          .thenComparing(GoldenLine::subtask, NUMBER)
          .thenComparing(GoldenLine::keyGroup, NUMBER)
          .thenComparing(line -> String.valueOf(line.key))
          .thenComparing(line -> String.valueOf(line.namespace))
          .thenComparing(line -> String.valueOf(line.mapKey))
          .thenComparing(GoldenLine::index, NUMBER)
          .thenComparing(line -> String.valueOf(line.value));

  /** A state, also one that holds nothing. */
  static GoldenLine state(String operator, String state, String kind, int entries) {
    return new GoldenLine(operator, state, kind, entries, null, null, null, null, null, null, null);
  }

  /** An entry of an operator state. */
  static GoldenLine operatorEntry(
      String operator,
      String state,
      String kind,
      int subtask,
      JsonNode mapKey,
      Integer index,
      JsonNode value) {
    return new GoldenLine(
        operator, state, kind, null, subtask, null, null, null, mapKey, index, value);
  }

  @Override
  public int compareTo(GoldenLine other) {
    return ORDER.compare(this, other);
  }

  /** The line as text, without its end. */
  String json() {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("operator", operator).put("state", state).put("kind", kind);
    putIfPresent(line, "entries", entries);
    putIfPresent(line, "subtask", subtask);
    putIfPresent(line, "keyGroup", keyGroup);
    setIfPresent(line, "key", key);
    setIfPresent(line, "namespace", namespace);
    setIfPresent(line, "mapKey", mapKey);
    putIfPresent(line, "index", index);
    setIfPresent(line, "value", value);
    return line.toString();
  }

  private static void putIfPresent(ObjectNode line, String member, Integer value) {
    if (value != null) {
      line.put(member, value);
    }
  }

  private static void setIfPresent(ObjectNode line, String member, JsonNode value) {
    if (value != null) {
      line.set(member, value);
    }
  }
}
