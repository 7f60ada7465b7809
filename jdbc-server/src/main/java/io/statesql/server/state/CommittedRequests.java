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
package io.statesql.server.state;

import io.statesql.edit.CommitHistory;
import io.statesql.snapshot.FileAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The requests of which savepoints beside the mounts say that they hold them, whoever wrote these;
 * also those of an earlier run of the server. Safe for use by many threads.
 */
final class CommittedRequests {
  /** How names of folders start that are no savepoints yet. */
  private static final String UNFINISHED = ".";

  private final Set<Path> known = new HashSet<>();
  private final Map<RequestMark.Key, Committed> commits = new HashMap<>();

  /**
   * A request that a savepoint holds.
   *
   * @param content of the request, as a {@link RequestMark} has it
   */
  record Committed(String content, CommitOutcome outcome) {}

  /**
   * The commit that holds a request. Looks at savepoints once, for they do not change.
   *
   * @param folders where commits go
   * @throws io.statesql.StateSqlException if the side file of a savepoint cannot be read
   * @throws UncheckedIOException if a folder cannot be listed
   */
  synchronized Optional<Committed> find(RequestMark.Key key, Set<Path> folders) {
    if (!commits.containsKey(key)) {
      folders.forEach(this::look);
    }
    return Optional.ofNullable(commits.get(key));
  }

  private static CommitOutcome outcome(String id, CommitHistory.Commit commit) {
    return new CommitOutcome(
        id,
        CommitOutcome.Status.COMMITTED,
        200,
        commit.savepoint(),
        new org.apache.flink.core.fs.Path(commit.base()).getPath(),
        null,
        null,
        null);
  }

  private void look(Path folder) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    List<Path> savepoints;
    try (Stream<Path> content = Files.list(folder)) {
      savepoints =
          content
              .filter(path -> Files.isDirectory(path) && !known.contains(path))
              .filter(path -> !path.getFileName().toString().startsWith(UNFINISHED))
              .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (Path savepoint : savepoints) {
      CommitHistory.read(new org.apache.flink.core.fs.Path(savepoint.toString()), FileAccess.FLINK)
          .ifPresent(this::add);
      known.add(savepoint);
    }
  }

  private void add(CommitHistory.Commit commit) {
    for (String request : commit.requests()) {
      RequestMark.parse(request)
          .ifPresent(
              mark ->
                  commits.put(
                      mark.key(), new Committed(mark.content(), outcome(mark.key().id(), commit))));
    }
  }
}
