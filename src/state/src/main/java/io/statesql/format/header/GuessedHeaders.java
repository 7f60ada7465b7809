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
package io.statesql.format.header;

import com.google.common.collect.Sets;
import io.statesql.format.model.KeyedHeader;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.OperatorHeader;
import io.statesql.format.model.OperatorSplit;
import io.statesql.format.model.SplitFault;
import io.statesql.format.model.StateMeta;
import io.statesql.type.MalformedValueException;
import io.statesql.type.serializer.StoredSerializer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts headers that could only be read by guessing (see {@link UnknownPayloads}) to the test of the
 * headers that other subtasks of the operator wrote. All ran the same job, so what several describe
 * was written by the same serializers; a class that is unknown in one of them alone is a damaged
 * name.
 */
public final class GuessedHeaders {
  private GuessedHeaders() {}

  /**
   * Tests the headers of an operator's keyed state.
   *
   * @throws io.statesql.StateSqlException if a guess is not borne out
   */
  public static void confirmKeyed(List<KeyedSplit> splits) {
    Set<KeyedHeader> headers = Sets.newIdentityHashSet();
    splits.forEach(split -> headers.add(split.header()));
    for (KeyedSplit split : splits) {
      if (split.header().isGuess()) {
        String contradiction =
            contradiction(facts(split.header()), headers.stream().map(GuessedHeaders::facts));
        if (contradiction != null) {
          throw SplitFault.malformed(
              split, null, -1, false, new MalformedValueException(0, contradiction));
        }
      }
    }
  }

  /**
   * Tests the headers of an operator's operator state.
   *
   * @throws io.statesql.StateSqlException if a guess is not borne out
   */
  public static void confirmOperator(List<OperatorSplit> splits) {
    Set<OperatorHeader> headers = Sets.newIdentityHashSet();
    splits.forEach(split -> headers.add(split.header()));
    for (OperatorSplit split : splits) {
      if (split.header().isGuess()) {
        String contradiction =
            contradiction(
                facts(split.header().states()),
                headers.stream().map(header -> facts(header.states())));
        if (contradiction != null) {
          throw split.malformed(null, false, new MalformedValueException(0, contradiction));
        }
      }
    }
  }

  /** What is wrong with a guess; null if no other header says anything against it. */
  private static @Nullable String contradiction(
      Map<String, String> guess, Stream<Map<String, String>> others) {
    return others
        .flatMap(other -> other.entrySet().stream())
        .filter(fact -> !fact.getValue().equals(guess.getOrDefault(fact.getKey(), fact.getValue())))
        .findFirst()
        .map(
            fact ->
                "its header says that "
                    + fact.getKey()
                    + " are stored by "
                    + guess.get(fact.getKey())
                    + ", which is not known here, where another subtask says "
                    + fact.getValue())
        .orElse(null);
  }

  private static Map<String, String> facts(KeyedHeader header) {
    Map<String, String> facts = facts(header.states());
    facts.put("the keys", header.key().description());
    return facts;
  }

  /** What wrote the parts of each state, by what a message calls them. */
  private static Map<String, String> facts(List<? extends StateMeta> states) {
    Map<String, String> facts = new LinkedHashMap<>();
    for (StateMeta state : states) {
      String of = " of state " + state.name();
      put(facts, "the keys" + of, state.key());
      put(facts, "the namespaces" + of, state.namespace());
      put(facts, "the values" + of, state.value());
    }
    return facts;
  }

  private static void put(
      Map<String, String> facts, String part, @Nullable StoredSerializer serializer) {
    if (serializer != null) {
      facts.put(part, serializer.description());
    }
  }
}
