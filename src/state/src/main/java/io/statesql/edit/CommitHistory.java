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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.statesql.ErrorCode;
import io.statesql.FaultText;
import io.statesql.StateSqlException;
import io.statesql.snapshot.EditMark;
import io.statesql.snapshot.FileAccess;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.core.fs.Path;

/** The commits that led to a savepoint, as the side files of it and of its bases tell them. */
public final class CommitHistory {
  /** Who edited a savepoint more often than this is not told of the first times. */
  private static final int MAX_COMMITS = 1000;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private CommitHistory() {}

  /**
   * One commit.
   *
   * @param savepoint the folder that it wrote
   * @param base the folder of the snapshot that it changed
   * @param requests ids of those who asked for it
   */
  public record Commit(
      String savepoint,
      String base,
      Instant time,
      String user,
      List<String> statements,
      List<String> requests,
      List<String> states,
      long keys,
      long keyGroups,
      long entriesPut,
      long entriesRemoved,
      long bytesRewritten,
      long filesRewritten,
      long bytesCopied) {}

  /**
   * The commits that led to a snapshot, the last one first; ends with a base that is no longer
   * there.
   *
   * @throws StateSqlException if a side file cannot be read
   */
  public static List<Commit> of(Path folder, FileAccess files) {
    List<Commit> commits = new ArrayList<>();
    Set<Path> seen = new HashSet<>();
    Path next = folder;
    while (next != null && seen.add(next) && commits.size() < MAX_COMMITS) {
      Optional<Commit> commit = read(next, files);
      commit.ifPresent(commits::add);
      next = commit.map(told -> new Path(told.base())).orElse(null);
    }
    return commits;
  }

  /**
   * The folder of the snapshot of which a savepoint was made; empty if StateSQL did not write it.
   *
   * @throws StateSqlException if its side file cannot be read
   */
  static Optional<Path> baseOf(Path savepoint, FileAccess files) {
    return read(savepoint, files).map(commit -> new Path(commit.base()));
  }

  /**
   * The commit that wrote a savepoint; empty if StateSQL did not write it.
   *
   * @throws StateSqlException if its side file cannot be read
   */
  public static Optional<Commit> read(Path folder, FileAccess files) {
    Optional<byte[]> record = EditMark.read(folder, files);
    if (record.isEmpty()) {
      return Optional.empty();
    }
    try {
      JsonNode root = MAPPER.readTree(record.get());
      return Optional.of(
          new Commit(
              folder.getPath(),
              root.path("base").asText(),
              Instant.parse(root.path("time").asText()),
              root.path("user").asText(),
              texts(root.path("statements")),
              texts(root.path("requests")),
              texts(root.path("states")),
              root.path("keys").asLong(),
              root.path("key_groups").asLong(),
              root.path("entries_put").asLong(),
              root.path("entries_removed").asLong(),
              root.path("bytes_rewritten").asLong(),
              root.path("files_rewritten").asLong(),
              root.path("bytes_copied").asLong()));
    } catch (IOException | DateTimeException | IllegalArgumentException e) {
      throw new StateSqlException(
          ErrorCode.MALFORMED_SNAPSHOT,
          "The side file "
              + new Path(folder, EditMark.FILE_NAME).getPath()
              + " is damaged: "
              + FaultText.of(e)
              + ".",
          e);
    }
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }
}
