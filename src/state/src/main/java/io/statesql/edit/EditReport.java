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
package io.statesql.edit;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a commit wrote, or would write.
 *
 * @param savepoint the folder of the new savepoint; null of a dry run
 * @param operators uid or id of each operator that is changed or dropped, in the order of the
 *     metadata
 * @param states names of the changed states of all these operators, each with its operator
 * @param keys keys of which something is put or removed, over all operators
 * @param keyGroups key groups that they are in, over all operators
 * @param entriesPut values, lists, map entries, timers and elements of operator state put
 * @param entriesRemoved likewise; of a removal that finds nothing too
 * @param bytesRewritten bytes of the files that are encoded anew, or an estimate by a dry run
 * @param filesRewritten those files, or an estimate by a dry run; what is encoded anew within the
 *     metadata is no file
 * @param bytesCopied bytes of state that are carried as they are, whether copied or linked; 0 of a
 *     dry run
 * @param filesCarried files of the new savepoint that hold what is carried alone; 0 of a dry run
 */
public record EditReport(
    @Nullable Path savepoint,
    List<String> operators,
    List<ChangedState> states,
    long keys,
    int keyGroups,
    long entriesPut,
    long entriesRemoved,
    long bytesRewritten,
    int filesRewritten,
    long bytesCopied,
    int filesCarried) {
  /** A state of an operator. */
  public record ChangedState(String operator, String state) {
    @Override
    public String toString() {
      return operator + "." + state;
    }
  }

  public EditReport {
    operators = List.copyOf(operators);
    states = List.copyOf(states);
  }

  /** What is done, without a verb and a full stop. */
  String describe() {
    String changed =
        "%s put, %d removed, of %s in %s of %s, %s; %s rewritten%s"
            .formatted(
                count(entriesPut, "entry", "entries"),
                entriesRemoved,
                count(keys, "key"),
                count(states.size(), "state"),
                count(operators.size(), "operator"),
                count(keyGroups, "key group"),
                count(bytesRewritten, "byte"),
                place(bytesRewritten, filesRewritten));
    return savepoint == null
        ? changed
        : changed
            + ", "
            + count(bytesCopied, "byte")
            + " carried as they were"
            + place(bytesCopied, filesCarried);
  }

  /** Where bytes lie: state that no file has stands in the metadata. */
  private static String place(long bytes, int files) {
    if (files == 0) {
      return bytes == 0 ? "" : " in the metadata";
    }
    return " in " + count(files, "file");
  }

  static String count(long number, String one) {
    return count(number, one, one + "s");
  }

  private static String count(long number, String one, String many) {
    return String.format(Locale.ROOT, "%d %s", number, number == 1 ? one : many);
  }
}
