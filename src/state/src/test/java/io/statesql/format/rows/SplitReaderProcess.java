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
package io.statesql.format.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.statesql.HostContext;
import io.statesql.ScanContext;
import io.statesql.format.model.RowCursor;
import io.statesql.snapshot.FileAccess;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the splits that another process describes; knows nothing else. */
final class SplitReaderProcess {
  private SplitReaderProcess() {}

  /**
   * Reads the rows of each split.
   *
   * @param args the file with the serialized list of specs, and the file for the rows
   */
  public static void main(String[] args) throws IOException, ClassNotFoundException {
    List<?> specs;
    try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(Path.of(args[0])))) {
      specs = (List<?>) in.readObject();
    }
    SplitHost host =
        new OpenedSnapshots(
            HostContext.ofThisProcess(),
            FileAccess.FLINK,
            Optional.empty(),
            ScanContext.unattended());
    List<String> lines = new ArrayList<>();
    for (Object spec : specs) {
      lines.addAll(rows((SplitSpec) spec, host));
    }
    Files.write(Path.of(args[1]), lines, UTF_8);
  }

  /** The rows of a split, a text each. */
  static List<String> rows(SplitSpec spec, SplitHost host) {
    List<String> lines = new ArrayList<>();
    try (RowCursor rows = spec.open(host)) {
      while (rows.next()) {
        lines.add(line(rows.row()));
      }
    }
    return lines;
  }

  /** A row as one line of text. */
  static String line(Object[] row) {
    return text(row).replace("\n", "\\n");
  }

  private static String text(Object value) {
    if (value instanceof Object[] row) {
      return Arrays.stream(row).map(SplitReaderProcess::text).toList().toString();
    }
    if (value instanceof List<?> list) {
      return list.stream().map(SplitReaderProcess::text).toList().toString();
    }
    return value instanceof Map<?, ?> map
        ? map.entrySet().stream()
            .map(entry -> text(entry.getKey()) + "=" + text(entry.getValue()))
            .toList()
            .toString()
        : String.valueOf(value);
  }
}
