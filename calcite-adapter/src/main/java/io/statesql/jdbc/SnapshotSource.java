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
package io.statesql.jdbc;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.coordinator.CoordinatorEndpoint;
import io.statesql.edit.CommitPlace;
import io.statesql.job.JobJars;
import io.statesql.location.ProcessStores;
import io.statesql.schema.MountMoves;
import io.statesql.schema.MountOptions;
import io.statesql.schema.SnapshotCatalogs;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Opens the snapshots that a connection names: the source of the registered driver. */
public final class SnapshotSource implements CatalogSource {

  private final CoordinatorEndpoint usualCoordinator;
  private final Supplier<MountMoves> moves;

  /** Made by the service loader. */
  public SnapshotSource() {
    this(ProcessStores.ofThisProcess(), MountMoves::new);
  }

  /**
   * Opens the same snapshots for all connections: where one moves a mount by a commit, the next one
   * finds it moved.
   *
   * @param usualCoordinator what {@code sys.store_locations} of a connection asks that names no
   *     coordinator
   */
  public SnapshotSource(CoordinatorEndpoint usualCoordinator, MountMoves moves) {
    this(usualCoordinator, () -> moves);
  }

  private SnapshotSource(CoordinatorEndpoint usualCoordinator, Supplier<MountMoves> moves) {
    this.usualCoordinator = usualCoordinator;
    this.moves = moves;
  }

  @Override
  public List<MountedCatalog> open(ConnectionOptions options) {
    if (options.snapshots().isEmpty()) {
      return List.of();
    }
    Optional<JobJars> jars = JobJars.open(options.jars());
    try {
      return open(options, jars);
    } catch (RuntimeException e) {
      try {
        resources(jars).close();
      } catch (IOException notClosed) {
        e.addSuppressed(notClosed);
      }
      throw e;
    }
  }

  private static Closeable resources(Optional<JobJars> jars) {
    return jars.<Closeable>map(Function.identity()).orElse(() -> {});
  }

  private List<MountedCatalog> open(ConnectionOptions options, Optional<JobJars> jars) {
    CoordinatorEndpoint coordinator =
        options.coordinator().map(ProcessStores::at).orElse(usualCoordinator);
    MountOptions mountOptions =
        new MountOptions(
            options.uids(),
            options.pathMap(),
            new CommitPlace(options.commitTo()),
            moves.get(),
            coordinator,
            jars.map(Function.identity()),
            options.isolate());
    List<MountedCatalog> catalogs = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String text : options.snapshots()) {
      Mount mount = mount(text);
      SnapshotCatalogs mounted = SnapshotCatalogs.mount(mount.name(), mount.path(), mountOptions);
      String name = mounted.byName().keySet().iterator().next();
      if (!names.add(name)) {
        throw new StateSqlException(
            ErrorCode.INVALID_ARGUMENT,
            "Two snapshots would have the catalog name \""
                + name
                + "\"; give one of them another, as in NAME="
                + mount.path()
                + ".");
      }
      mounted
          .byName()
          .forEach(
              (catalog, schema) ->
                  catalogs.add(
                      new MountedCatalog(
                          catalog,
                          schema,
                          catalog.equals(name) ? mounted.warnings() : List.of(),
                          resources(jars))));
    }
    return catalogs;
  }

  /** Reads {@code PATH} or {@code NAME=PATH}; a path that exists wins over the reading as both. */
  public static Mount mount(String text) {
    return Mount.parse(text, SnapshotSource::exists);
  }

  private static boolean exists(String path) {
    try {
      return Files.exists(Path.of(path));
    } catch (InvalidPathException notLocal) {
      return false;
    }
  }
}
