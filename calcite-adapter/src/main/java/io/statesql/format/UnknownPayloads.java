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
package io.statesql.format;

import io.statesql.type.MalformedValueException;
import io.statesql.type.SerializerContext;
import io.statesql.type.UnknownSerializerException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads a header in which a serializer snapshot of the job's own stands. Such a payload has no
 * length, so lengths are tried: one is right if the rest of the header can be read and ends exactly
 * where the header ends. It is taken only if no other one is right too.
 */
final class UnknownPayloads {
  /** Enough for any header met; beyond it the header counts as unreadable. */
  private static final int MAX_ATTEMPTS = 200_000;

  private UnknownPayloads() {}

  /**
   * Reads a header. Classes of the job that read their own snapshots in it are believed only if the
   * whole header can be read then: they may be of another version than those that wrote it.
   *
   * @param length of the header
   * @param context assumes no lengths
   * @param parse reads the whole header with a context that assumes lengths, or throws
   * @throws MalformedValueException if no lengths, or several, make the header readable
   */
  static <T> T resolve(
      int length, SerializerContext context, Function<SerializerContext, T> parse) {
    try {
      return resolveLengths(length, lengths -> parse.apply(context.withPayloadLengths(lengths)));
    } catch (MalformedValueException e) {
      if (!context.readsJobSnapshots()) {
        throw e;
      }
      return resolve(length, context.withoutJobSnapshots(), parse);
    }
  }

  private static <T> T resolveLengths(int length, Function<Map<Long, Integer>, T> parse) {
    try {
      return parse.apply(Map.of());
    } catch (UnknownSerializerException unknown) {
      return new Search<>(length, parse).run(unknown);
    }
  }

  private static final class Search<T> {
    private final int length;
    private final Function<Map<Long, Integer>, T> parse;
    private final List<T> solutions = new ArrayList<>();
    private int attempts;

    Search(int length, Function<Map<Long, Integer>, T> parse) {
      this.length = length;
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
      int longest = (int) (length - unknown.payloadOffset());
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
        if (isClassName(next.snapshotClassName())) {
          tryLengths(next, lengths);
        }
      } catch (MalformedValueException wrongLength) {
        // The length just tried is not the right one; the next one may be.
        return;
      }
    }
  }

  /** Whether a text can be a class name: what stands at a wrong position hardly ever is one. */
  private static boolean isClassName(String text) {
    return !text.isEmpty()
        && Character.isJavaIdentifierStart(text.charAt(0))
        && text.chars().allMatch(UnknownPayloads::isClassNamePart);
  }

  private static boolean isClassNamePart(int c) {
    return c == '.' || (Character.isJavaIdentifierPart(c) && !Character.isIdentifierIgnorable(c));
  }
}
