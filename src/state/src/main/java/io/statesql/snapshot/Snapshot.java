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

import io.statesql.ErrorCode;
import io.statesql.HostContext;
import io.statesql.ScanContext;
import io.statesql.StateSqlException;
import io.statesql.type.serializer.JobClasses;
import io.statesql.type.serializer.KryoVersion;
import io.statesql.type.serializer.PojoSubclasses;
import io.statesql.type.serializer.SerializerContext;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/**
 * A savepoint or checkpoint: what its metadata says, and the state files that it names. Holds no
 * open file. Immutable and safe for use by many threads.
 */
public final class Snapshot {
  private final OpenedMetadata metadataFile;
  private final SnapshotMetadata metadata;
  private final StateFileResolver resolver;
  private final FileAccess files;
  private final HostContext host;
  private final ScanContext scan;
  private final SerializerContext serializers;
  private final boolean isolated;

  private Snapshot(
      OpenedMetadata metadataFile,
      SnapshotMetadata metadata,
      StateFileResolver resolver,
      FileAccess files,
      HostContext host,
      ScanContext scan,
      SerializerContext serializers,
      boolean isolated) {
    this.metadataFile = metadataFile;
    this.metadata = metadata;
    this.resolver = resolver;
    this.files = files;
    this.host = host;
    this.scan = scan;
    this.serializers = serializers;
    this.isolated = isolated;
  }

  /**
   * Opens a snapshot by Flink's file systems.
   *
   * @param pathOrUri the folder of a snapshot, its metadata file, or a file that is a whole
   *     snapshot; a local path, a {@code file:} URI, or a URI of any Flink file system (its text is
   *     taken as it stands: no %-escapes are decoded)
   * @throws StateSqlException when there is no snapshot, or we may not or cannot read it: one
   *     sentence that tells what is there instead
   */
  public static Snapshot open(String pathOrUri) {
    return open(pathOrUri, FileAccess.FLINK);
  }

  /** As {@link #open(String)}, by a given way to reach files. */
  public static Snapshot open(String pathOrUri, FileAccess files) {
    return open(pathOrUri, files, PathMap.NONE);
  }

  /**
   * As {@link #open(String)}, by a given way to reach files.
   *
   * @param pathMap where the files are that the metadata names by absolute paths
   */
  public static Snapshot open(String pathOrUri, FileAccess files, PathMap pathMap) {
    return open(SnapshotPaths.of(pathOrUri), files, pathMap);
  }

  static Snapshot open(Path path, FileAccess files, PathMap pathMap) {
    SnapshotLocator locator = new SnapshotLocator(files);
    FileStatus file = locator.locate(path);
    byte[] bytes = locator.read(file);
    SnapshotMetadata metadata = MetadataReader.read(bytes, SnapshotPaths.show(file.getPath()));
    OpenedMetadata opened = new OpenedMetadata(file, files);
    return new Snapshot(
        opened,
        metadata,
        new StateFileResolver(opened, files, pathMap),
        files,
        HostContext.ofThisProcess(),
        ScanContext.unattended(),
        SerializerContext.of(KryoVersion.ofMetadata(metadata.version())),
        false);
  }

  /**
   * The same snapshot for one scan. Its state files ask the scan's cancellation each time before
   * they read from the file system, and count what they read.
   */
  public Snapshot within(ScanContext newScan) {
    return new Snapshot(
        metadataFile, metadata, resolver, files, host, newScan, serializers, isolated);
  }

  /** The same snapshot, read and edited by a host; at first this is the process alone. */
  public Snapshot on(HostContext newHost) {
    return new Snapshot(
        metadataFile, metadata, resolver, files, newHost, scan, serializers, isolated);
  }

  /** Who reads and edits it. */
  public HostContext host() {
    return host;
  }

  /**
   * The same snapshot, in which values that need a class of the job are read by that class.
   *
   * @param jobClasses must stay open as long as the snapshot is read; empty for none
   */
  public Snapshot readBy(Optional<JobClasses> jobClasses) {
    return new Snapshot(
        metadataFile,
        metadata,
        resolver,
        files,
        host,
        scan,
        SerializerContext.of(serializers.kryo(), jobClasses),
        isolated);
  }

  /** The same snapshot, of one of whose operators something is known beyond its headers. */
  public Snapshot knowing(PojoSubclasses subclasses) {
    return readWith(serializers.knowing(subclasses));
  }

  /** The same snapshot, whose serializer snapshots are read in another way. */
  public Snapshot readWith(SerializerContext otherSerializers) {
    return new Snapshot(
        metadataFile, metadata, resolver, files, host, scan, otherSerializers, isolated);
  }

  /**
   * The same snapshot, trusted or not.
   *
   * @param value whether native code reads its RocksDB files in another process, so that files made
   *     to crash it do not end this one
   */
  public Snapshot isolated(boolean value) {
    return new Snapshot(metadataFile, metadata, resolver, files, host, scan, serializers, value);
  }

  /** Whether native code reads its RocksDB files in another process. */
  public boolean isIsolated() {
    return isolated;
  }

  /** How the serializer snapshots in its state are read. */
  public SerializerContext serializers() {
    return serializers;
  }

  /** What those who read this snapshot work within. */
  public ScanContext scan() {
    return scan;
  }

  public SnapshotMetadata metadata() {
    return metadata;
  }

  /** Where the files are that its metadata names by absolute paths. */
  public PathMap pathMap() {
    return resolver.pathMap();
  }

  /** The file that was read. */
  public Path metadataFile() {
    return metadataFile.path();
  }

  /** When the metadata was written, in milliseconds of the epoch, as the file system says. */
  public long modificationTime() {
    return metadataFile.modificationTime();
  }

  /** Whether its metadata file is there no more. */
  public boolean isRemoved() {
    return metadataFile.fate() == OpenedMetadata.Fate.REMOVED;
  }

  /**
   * Whether StateSQL wrote this snapshot; see {@link EditMark}.
   *
   * @throws StateSqlException when the file system does not let us see
   */
  public boolean isEdited() {
    return EditMark.isOn(folder(), files);
  }

  /** The folder that relative state files lie in. */
  public Path folder() {
    return metadataFile.path().getParent();
  }

  /**
   * Opens the bytes of a handle of this snapshot. The caller closes the result. A file that is
   * longer than the handle says is read up to there: some file systems count more than was written.
   *
   * @throws StateSqlException when the file is missing, shorter than the handle says, outside of
   *     the snapshot although its name is relative, or not to be read
   */
  public StateFile open(StreamHandle handle) {
    if (handle instanceof StreamHandle.ByteStream inline) {
      String name = "\"" + inline.handleName() + "\" within " + metadata.location();
      return StateFile.ofBytes(name, inline.data(), scan);
    }
    if (handle instanceof StreamHandle.RelativeFile file) {
      return open(resolver.relative(file.relativePath()), 0, file.stateSize());
    }
    if (handle instanceof StreamHandle.File file) {
      return open(resolver.absolute(file.path()), 0, file.stateSize());
    }
    if (handle instanceof StreamHandle.SegmentFile segment) {
      return open(resolver.absolute(segment.path()), segment.startPosition(), segment.stateSize());
    }
    if (handle instanceof StreamHandle.KeyGroups keyGroups) {
      return open(keyGroups.delegate());
    }
    return StateFile.ofBytes("an empty segment", Bytes.EMPTY, scan);
  }

  /**
   * As {@link #open(StreamHandle)}, but a file to its real end, whatever the handle says of its
   * size: for contents that say themselves where they end.
   *
   * @throws StateSqlException when the file is missing, outside of the snapshot although its name
   *     is relative, or not to be read
   */
  public StateFile openToEnd(StreamHandle handle) {
    FileStatus file;
    if (handle instanceof StreamHandle.RelativeFile relative) {
      file = resolver.relative(relative.relativePath());
    } else if (handle instanceof StreamHandle.File absolute) {
      file = resolver.absolute(absolute.path());
    } else {
      return open(handle);
    }
    return open(file, 0, file.getLen());
  }

  /**
   * The file on the local disk that holds exactly the bytes of a handle of this snapshot; for those
   * who can link to a file in place of reading it. Nobody may write to it.
   *
   * @return empty if the bytes lie elsewhere, or are only a part of a file
   * @throws StateSqlException when the file is missing, or outside of the snapshot although its
   *     name is relative
   */
  public Optional<java.nio.file.Path> localFile(StreamHandle handle) {
    FileStatus file;
    if (handle instanceof StreamHandle.RelativeFile relative) {
      file = resolver.relative(relative.relativePath());
    } else if (handle instanceof StreamHandle.File absolute) {
      file = resolver.absolute(absolute.path());
    } else {
      return Optional.empty();
    }
    if (file.getLen() != handle.stateSize() || !"file".equals(file.getPath().toUri().getScheme())) {
      return Optional.empty();
    }
    return Optional.of(java.nio.file.Path.of(file.getPath().getPath()));
  }

  /**
   * Makes sure that the files are there which the metadata names. Costs a status of each; none is
   * opened, so what is in them stays unknown.
   *
   * @throws StateSqlException with {@link ErrorCode#FILE_NOT_FOUND} for the first that is missing;
   *     with another code if it may not be looked at, or lies outside of the snapshot although its
   *     name is relative
   */
  public void requireFiles() {
    Set<String> found = new HashSet<>();
    StateStreams.of(metadata)
        .forEach(
            stream -> {
              scan.cancellation().check();
              if (stream instanceof StreamHandle.RelativeFile file
                  && found.add(file.relativePath())) {
                resolver.relative(file.relativePath());
              } else if (stream instanceof StreamHandle.File file && found.add(file.path())) {
                resolver.absolute(file.path());
              } else if (stream instanceof StreamHandle.SegmentFile file
                  && found.add(file.path())) {
                resolver.absolute(file.path());
              }
            });
  }

  private StateFile open(FileStatus file, long start, long length) {
    String name = SnapshotPaths.show(file.getPath());
    if (file.getLen() - start < length) {
      throw new StateSqlException(
          ErrorCode.MALFORMED_SNAPSHOT,
          "The state file "
              + name
              + " is truncated: it has "
              + file.getLen()
              + " bytes, but the snapshot says that its state ends at byte "
              + (start + length)
              + ".");
    }
    try {
      StateFile opened = StateFile.ofStream(name, files.open(file.getPath()), start, length, scan);
      scan.counters().addFile();
      return opened;
    } catch (IOException e) {
      throw StateFile.failure(name, e);
    }
  }
}
