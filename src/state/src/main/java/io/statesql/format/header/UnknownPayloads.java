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

import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import com.google.common.primitives.Bytes;
import io.statesql.type.MalformedValueException;
import io.statesql.type.serializer.SerializerContext;
import io.statesql.type.serializer.UnknownSerializerException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reads a header in which a serializer snapshot of the job's own stands. Such a payload has no
 * length, so lengths are tried: one is right if the rest of the header can be read and ends exactly
 * where the header ends. It is taken only if no other one is right too. No payload reaches over
 * what describes another state: a guess that swallows states would take away their rows.
 *
 * <p>What else is known of an operator has to bear a guess out, see {@link GuessedHeaders}.
 */
final class UnknownPayloads {
  /**
   * What stands in the description of every state, as Flink writes it with its length: {@code
   * StateMetaInfoSnapshot.CommonSerializerKeys} and {@code CommonOptionsKeys} (Flink 2.3).
   */
  private static final List<byte[]> OF_A_STATE =
      Stream.of(
              "KEY_SERIALIZER",
              "NAMESPACE_SERIALIZER",
              "VALUE_SERIALIZER",
              "USER_KEY_SERIALIZER",
              "KEYED_STATE_TYPE",
              "OPERATOR_STATE_DISTRIBUTION_MODE")
          .map(UnknownPayloads::written)
          .toList();

  /** Enough for any header met; beyond it the header counts as unreadable. */
  private static final int MAX_ATTEMPTS = 200_000;

  private UnknownPayloads() {}

  /**
   * Reads a header. Classes of the job that read their own snapshots in it are believed only if the
   * whole header can be read then: they may be of another version than those that wrote it.
   *
   * @param header all of its bytes
   * @param context assumes no lengths
   * @param parse reads the whole header with a context that assumes lengths, or throws
   * @throws MalformedValueException if no lengths, or several, make the header readable
   */
  static <T> T resolve(
      byte[] header, SerializerContext context, Function<SerializerContext, T> parse) {
    try {
      return resolveLengths(header, lengths -> parse.apply(context.withPayloadLengths(lengths)));
    } catch (MalformedValueException e) {
      if (!context.readsJobSnapshots()) {
        throw e;
      }
      return resolve(header, context.withoutJobSnapshots(), parse);
    }
  }

  private static <T> T resolveLengths(byte[] header, Function<Map<Long, Integer>, T> parse) {
    try {
      return parse.apply(Map.of());
    } catch (UnknownSerializerException unknown) {
      return new Search<>(header, parse).run(unknown);
    }
  }

  private static final class Search<T> {
    private final byte[] header;
    private final Function<Map<Long, Integer>, T> parse;
    private final List<T> solutions = new ArrayList<>();
    private int attempts;

    Search(byte[] header, Function<Map<Long, Integer>, T> parse) {
      this.header = header;
      this.parse = parse;
    }

    T run(UnknownSerializerException unknown) {
      tryLengths(unknown, Map.of());
      if (solutions.size() != 1) {
        throw new MalformedValueException(
            unknown.payloadOffset(),
            "the serializer snapshot "
                + unknown.snapshotClassName()
                + " is of a class that is not known here and its length cannot be "
                + (solutions.isEmpty() ? "found" : "told without doubt"),
            unknown);
      }
      return solutions.get(0);
    }

    private void tryLengths(UnknownSerializerException unknown, Map<Long, Integer> assumed) {
      Map<Long, Integer> lengths = new HashMap<>(assumed);
      int longest = longestPayload(header, (int) unknown.payloadOffset());
      for (int n = 0; n <= longest && solutions.size() < 2; n++) {
        if (++attempts > MAX_ATTEMPTS) {
          throw new MalformedValueException(
              unknown.payloadOffset(),
              "the header holds serializer snapshots of the job's own classes, "
                  + unknown.snapshotClassName()
                  + " among them, and where they end cannot be found",
              unknown);
        }
        lengths.put(unknown.payloadOffset(), n);
        tryOnce(lengths);
      }
    }

    private void tryOnce(Map<Long, Integer> lengths) {
      try {
        solutions.add(parse.apply(lengths));
      } catch (UnknownSerializerException next) {
        tryLengths(next, lengths);
      } catch (MalformedValueException wrongLength) {
        // The length just tried is not the right one; the next one may be.
        return;
      }
    }
  }

  /** How long a payload may be: up to what describes a state, or to the end. */
  private static int longestPayload(byte[] header, int start) {
    byte[] rest = Arrays.copyOfRange(header, start, header.length);
    return OF_A_STATE.stream()
        .mapToInt(word -> Bytes.indexOf(rest, word))
        .filter(index -> index >= 0)
        .min()
        .orElse(rest.length);
  }

  /** As {@link java.io.DataOutput#writeUTF} writes it. */
  private static byte[] written(String word) {
    ByteArrayDataOutput out = ByteStreams.newDataOutput();
    out.writeUTF(word);
    return out.toByteArray();
  }
}
