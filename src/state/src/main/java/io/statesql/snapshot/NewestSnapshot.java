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
package io.statesql.snapshot;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.snapshot.RootEntry.Status;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.core.fs.Path;

/**
 * The choice of a root's newest snapshot, by the rules that {@link SnapshotRoot} states. Used once.
 */
final class NewestSnapshot {
  /** How many entries an error message tells. */
  private static final int SHOWN = 8;

  private final Path folder;
  private final FileAccess files;
  private final PathMap pathMap;
  private final List<RootEntry> entries;
  private final Map<RootEntry, RootEntry> passedOver = new HashMap<>();
  private final Map<RootEntry, Long> checkpointIds = new HashMap<>();
  private int edited;

  NewestSnapshot(Path folder, FileAccess files, PathMap pathMap, List<RootEntry> entries) {
    this.folder = folder;
    this.files = files;
    this.pathMap = pathMap;
    this.entries = entries;
  }

  /**
   * The root with its newest snapshot open.
   *
   * @throws StateSqlException if there is none, or it cannot be read
   */
  SnapshotRoot choose() {
    TreeMap<Long, List<RootEntry>> byTime =
        entries.stream()
            .filter(RootEntry::isComplete)
            .collect(groupingBy(RootEntry::modificationTime, TreeMap::new, toList()));
    for (List<RootEntry> sameTime : byTime.descendingMap().values()) {
      for (RootEntry candidate : newestFirst(sameTime)) {
        Optional<Snapshot> opened = open(candidate);
        if (opened.isPresent()) {
          List<RootEntry> all =
              entries.stream().map(entry -> passedOver.getOrDefault(entry, entry)).toList();
          return new SnapshotRoot(folder, files, pathMap, all, candidate, opened.get());
        }
      }
    }
    throw nothingComplete();
  }

  private List<RootEntry> newestFirst(List<RootEntry> sameTime) {
    if (sameTime.size() == 1) {
      return sameTime;
    }
    return sameTime.stream()
        .sorted(
            Comparator.comparing(this::checkpointIdOf)
                .thenComparing(RootEntry::relativePath)
                .reversed())
        .toList();
  }

  /** The id, or -1 where it cannot be read: opening tells why. */
  private long checkpointIdOf(RootEntry entry) {
    return checkpointIds.computeIfAbsent(
        entry,
        unknown -> {
          try {
            return unknown.readHeader(files).checkpointId();
          } catch (StateSqlException e) {
            return -1L;
          }
        });
  }

  private Optional<Snapshot> open(RootEntry candidate) {
    try {
      if (EditMark.isOn(candidate.folder(), files)) {
        edited++;
        return Optional.empty();
      }
      return Optional.of(Snapshot.open(candidate.folder(), files, pathMap));
    } catch (StateSqlException e) {
      if (candidate.isGone(files)) {
        passedOver.put(
            candidate, candidate.with(Status.REMOVED, candidate.removed(e).getMessage()));
      } else if (RootEntry.isDamage(e)) {
        passedOver.put(candidate, candidate.with(Status.DAMAGED, e.getMessage()));
      } else {
        throw e;
      }
      return Optional.empty();
    }
  }

  private StateSqlException nothingComplete() {
    String found =
        entries.stream()
            .map(entry -> passedOver.getOrDefault(entry, entry))
            .limit(SHOWN)
            .map(NewestSnapshot::describe)
            .collect(joining(", "));
    String more = entries.size() > SHOWN ? " and " + (entries.size() - SHOWN) + " more" : "";
    return new StateSqlException(
        ErrorCode.NOT_A_SNAPSHOT,
        "The folder "
            + SnapshotPaths.show(folder)
            + " holds no complete snapshot"
            + (edited > 0 ? " that Flink wrote" : "")
            + "; found "
            + found
            + more
            + "."
            + (edited > 0 ? " Open a savepoint that StateSQL wrote by its own path." : ""));
  }

  private static String describe(RootEntry entry) {
    return entry.relativePath()
        + switch (entry.status()) {
          case COMPLETE -> " (written by StateSQL)";
          case INCOMPLETE -> " (incomplete)";
          case DAMAGED -> " (damaged)";
          case UNREADABLE -> " (unreadable)";
          case REMOVED -> " (removed just now)";
        };
  }
}
