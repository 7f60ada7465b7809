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

import io.statesql.ErrorCode;
import io.statesql.FaultText;
import io.statesql.StateSqlException;
import io.statesql.snapshot.FileAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The name of the savepoint that a commit makes of a snapshot: {@code <name>-edited-<n>}, where n
 * is one more than the highest number that is there. Two processes that see the same savepoints
 * choose the same name, which only one of them can take; the other finds then that the snapshot has
 * a successor that it did not know.
 */
final class SuccessorName implements SavepointName {
  private static final Pattern EDITED = Pattern.compile("(.+)-edited-(\\d{1,9})");

  private final Path parent;
  private final org.apache.flink.core.fs.Path base;
  private final String stem;
  private final int number;
  private final Set<Path> known;

  /**
   * Looks at the savepoints that are there already, which are no conflict.
   *
   * @param base the folder of the snapshot
   * @param name of that folder
   */
  SuccessorName(Path parent, org.apache.flink.core.fs.Path base, String name) {
    this.parent = parent;
    this.base = base;
    Matcher edited = EDITED.matcher(name);
    boolean isEdited = edited.matches();
    this.stem = isEdited ? edited.group(1) : name;
    this.number = isEdited ? Integer.parseInt(edited.group(2)) : 0;
    this.known = Set.copyOf(edits().values());
  }

  @Override
  public Path parent() {
    return parent;
  }

  /**
   * @throws StateSqlException with {@link ErrorCode#TRANSACTION_CONFLICT} if the snapshot has got a
   *     successor
   */
  @Override
  public Path next() {
    SortedMap<Integer, Path> edits = edits();
    for (Path edit : edits.values()) {
      if (!known.contains(edit) && isOfBase(edit)) {
        throw new StateSqlException(
            ErrorCode.TRANSACTION_CONFLICT,
            "Nothing was committed: since "
                + base.getPath()
                + " was mounted, another commit on it wrote "
                + edit
                + "; mount that and run the statements again.");
      }
    }
    int highest = edits.isEmpty() ? number : Math.max(number, edits.lastKey());
    return parent.resolve(stem + "-edited-" + (highest + 1));
  }

  /** The end of the line of savepoints that began with the snapshot since this was made. */
  Optional<Path> newest() {
    Optional<Path> newest = Optional.empty();
    for (Path edit : edits().values()) {
      if (!known.contains(edit)
          && (newest.isEmpty() ? isOfBase(edit) : isMadeOf(newest.get(), edit))) {
        newest = Optional.of(edit);
      }
    }
    return newest;
  }

  private static boolean isMadeOf(Path savepoint, Path edit) {
    return baseOf(edit).filter(base -> Path.of(base.getPath()).equals(savepoint)).isPresent();
  }

  /** Savepoints that were made of the same snapshot before, and have no part in this one. */
  List<Path> siblings() {
    return known.stream().filter(this::isOfBase).sorted().toList();
  }

  private SortedMap<Integer, Path> edits() {
    SortedMap<Integer, Path> edits = new TreeMap<>();
    if (!Files.isDirectory(parent)) {
      return edits;
    }
    try (Stream<Path> names = Files.list(parent)) {
      names.forEach(
          path -> {
            Matcher name = EDITED.matcher(path.getFileName().toString());
            if (name.matches() && name.group(1).equals(stem)) {
              edits.put(Integer.parseInt(name.group(2)), path);
            }
          });
      return edits;
    } catch (IOException e) {
      throw new StateSqlException(
          ErrorCode.IO_ERROR,
          "The folder " + parent + " cannot be listed: " + FaultText.of(e) + ".",
          e);
    }
  }

  private boolean isOfBase(Path edit) {
    return baseOf(edit).filter(this::isBase).isPresent();
  }

  private static Optional<org.apache.flink.core.fs.Path> baseOf(Path edit) {
    return CommitHistory.baseOf(new org.apache.flink.core.fs.Path(edit.toUri()), FileAccess.FLINK);
  }

  private boolean isBase(org.apache.flink.core.fs.Path other) {
    return other.equals(base) || other.getPath().equals(base.getPath()) || isSameFile(other);
  }

  private boolean isSameFile(org.apache.flink.core.fs.Path other) {
    try {
      return Files.isSameFile(Path.of(base.getPath()), Path.of(other.getPath()));
    } catch (IOException gone) {
      return false;
    }
  }
}
