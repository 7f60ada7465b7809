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
package io.statesql.format.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.FaultText;
import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.SplitFault;
import io.statesql.format.model.SubtaskFile;
import io.statesql.format.rocksdb.database.ReadingProcessException;
import io.statesql.format.work.WorkFolder;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.KeyedStateHandle.LocalFile;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one handle, laid out in a work folder as RocksDB wants them. Table files, which
 * RocksDB never writes to once they are whole, are links to the snapshot's files where the disk
 * allows that; everything else is a copy.
 */
final class RocksDbFiles {
  /** The names that RocksDB gives to files which belong to a checkpoint. */
  private static final Pattern NAME =
      Pattern.compile(
          "CURRENT|IDENTITY|(?:MANIFEST|OPTIONS)-\\d{1,20}|\\d{1,20}\\.(?:sst|blob|log)");

  private static final Pattern IMMUTABLE = Pattern.compile(".*\\.(?:sst|blob)");
  private static final Pattern TABLE = Pattern.compile(".*\\.sst");

  /** A file in a message of RocksDB's, with the folder before it or without. */
  private static final Pattern MENTION =
      Pattern.compile("[^\\s:'\"]*?(CURRENT|MANIFEST-\\d+|\\d+\\.(?:sst|blob|log))");

  private static final String ADVICE =
      "restore the file from a copy, or open another snapshot of the job.";

  private static final String CURRENT = "CURRENT";
  private static final String MANIFEST = "MANIFEST-";

  /** RocksDB tunes itself by this file when it writes; nothing of it is needed to read. */
  private static final String OPTIONS = "OPTIONS-";

  /** A name and a line end are all that a sound one holds. */
  private static final int MAX_CURRENT = 64;

  private static final Logger LOG = LoggerFactory.getLogger(RocksDbFiles.class);

  private final KeyedSplit split;
  private final Path folder;

  /** Each file's name with where it came from, by the name. */
  private final Map<String, String> sources = new HashMap<>();

  /** The log of tables, likewise. */
  private String manifest;

  private String manifestName;

  private RocksDbFiles(KeyedSplit split, Path folder) {
    this.split = split;
    this.folder = folder;
  }

  /**
   * Lays out the files of a handle.
   *
   * @param folder empty
   * @throws StateSqlException if a file is missing, shorter than the handle says, or has a name
   *     that RocksDB does not use, or if the work folder cannot be written to
   */
  static RocksDbFiles restore(
      Snapshot snapshot, KeyedSplit split, KeyedStateHandle.Incremental handle, Path folder) {
    List<LocalFile> files =
        Stream.concat(handle.shared().stream(), handle.privateFiles().stream()).toList();
    RocksDbFiles result = new RocksDbFiles(split, folder);
    result.requireSoundNames(files);
    for (LocalFile file : files) {
      if (!file.localPath().startsWith(OPTIONS)) {
        result.restore(snapshot, file);
      }
    }
    result.requireCurrentManifest();
    result.requireSound(snapshot.scan().cancellation());
    return result;
  }

  private void requireSoundNames(List<LocalFile> files) {
    Set<String> names = new HashSet<>();
    for (LocalFile file : files) {
      if (!NAME.matcher(file.localPath()).matches()) {
        throw malformed(
            "the snapshot gives a file of its RocksDB database the name \""
                + file.localPath()
                + "\", which RocksDB does not use, so it is not opened");
      }
      if (!names.add(file.localPath())) {
        throw malformed("the snapshot names two RocksDB files " + file.localPath());
      }
    }
  }

  private void restore(Snapshot snapshot, LocalFile file) {
    snapshot.scan().cancellation().check();
    Path target = folder.resolve(file.localPath());
    Optional<Path> source = snapshot.localFile(file.handle());
    if (source.isPresent()
        && IMMUTABLE.matcher(file.localPath()).matches()
        && link(target, source.get())) {
      addSource(file, source.get().toString());
      snapshot.scan().counters().addFile();
    } else {
      copy(snapshot, file, target);
    }
  }

  private void addSource(LocalFile file, String source) {
    sources.put(file.localPath(), file.localPath() + " (" + source + ")");
  }

  private static boolean link(Path target, Path source) {
    try {
      // A link to a symbolic link would be as symbolic, and relative to another folder.
      Files.createLink(target, source.toRealPath());
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      LOG.debug("Copying {}, to which no link can be made", source, e);
      return false;
    }
  }

  private void copy(Snapshot snapshot, LocalFile file, Path target) {
    try (StateFile in =
        SubtaskFile.open(snapshot, split.operator(), split.subtask(), file.handle())) {
      addSource(file, in.name());
      try (OutputStream out = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW)) {
        in.transferTo(out);
      }
    } catch (IOException e) {
      throw new StateSqlException(
          ErrorCode.IO_ERROR,
          where()
              + "cannot copy "
              + sources.get(file.localPath())
              + " into the work folder "
              + folder
              + ": "
              + e
              + "; make room there, or name another place with -D"
              + WorkFolder.BASE_PROPERTY
              + "=FOLDER.",
          e);
    }
  }

  /** RocksDB opens what CURRENT names, so that must be one of the files that the handle names. */
  private void requireCurrentManifest() {
    String source = sources.get(CURRENT);
    if (source == null) {
      throw malformed(
          "the RocksDB files of "
              + split.file()
              + " hold no "
              + CURRENT
              + ", so that no database can be opened");
    }
    try {
      Path current = folder.resolve(CURRENT);
      String name = Files.size(current) > MAX_CURRENT ? "" : Files.readString(current, UTF_8);
      if (name.startsWith(MANIFEST) && name.endsWith("\n")) {
        manifestName = name.substring(0, name.length() - 1);
        manifest = sources.get(manifestName);
      }
      if (manifest == null) {
        throw malformed(source + " does not name a " + MANIFEST + " file of the same snapshot");
      }
    } catch (CharacterCodingException e) {
      throw malformed(source + " is damaged: it is not text");
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** RocksDB trusts what has a right checksum, which can be made for anything. */
  private void requireSound(Cancellation cancellation) {
    try {
      List<String> tables =
          sources.keySet().stream().filter(name -> TABLE.matcher(name).matches()).sorted().toList();
      DatabaseCheck.check(folder, manifestName, tables, cancellation);
    } catch (DamagedFileException e) {
      throw malformed(
          "the file "
              + sources.get(e.file())
              + " is damaged at offset "
              + e.offset()
              + ": "
              + e.getMessage());
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private StateSqlException unreadable(IOException cause) {
    return new StateSqlException(
        ErrorCode.IO_ERROR,
        where() + "cannot read in the work folder " + folder + ": " + FaultText.of(cause) + ".",
        cause);
  }

  /** Whether RocksDB never writes to a file of this name once it is whole. */
  static boolean isImmutable(String name) {
    return IMMUTABLE.matcher(name).matches();
  }

  /** Whether RocksDB can do without a file of this name. */
  static boolean isNeedless(String name) {
    return name.startsWith(OPTIONS);
  }

  Path folder() {
    return folder;
  }

  /**
   * Refuses a database that leaves out tables of the snapshot. RocksDB takes a log of tables that
   * breaks off within an entry for one that ends before it, and would show fewer rows.
   *
   * @param inUse the names of the tables that make up the opened database
   */
  void requireAllInUse(Set<String> inUse) {
    for (String name : sources.keySet()) {
      if (TABLE.matcher(name).matches() && !inUse.contains(name)) {
        throw malformed(
            "the database does not know its file "
                + sources.get(name)
                + ", so "
                + manifest
                + " is damaged");
      }
    }
  }

  /** What RocksDB found wrong, in terms of the snapshot's files. */
  StateSqlException failure(RocksDBException fault) {
    if (fault instanceof ReadingProcessException ended) {
      return ended(ended);
    }
    Status.Code code = fault.getStatus() == null ? null : fault.getStatus().getCode();
    if (code == Status.Code.NotSupported) {
      return new StateSqlException(
          ErrorCode.UNSUPPORTED_SNAPSHOT,
          where()
              + "its RocksDB files are of a form that Flink's RocksDB does not read: "
              + inTermsOfSources(fault)
              + "; take a savepoint in canonical form (flink savepoint --type canonical).",
          fault);
    }
    // A file that RocksDB misses is one that the snapshot does not have.
    boolean io = code == Status.Code.IOError && !mentionsMissingFile(fault);
    return new StateSqlException(
        io ? ErrorCode.IO_ERROR : ErrorCode.MALFORMED_SNAPSHOT,
        where()
            + "RocksDB cannot read the files of "
            + split.file()
            + ": "
            + inTermsOfSources(fault)
            + (io ? "; it reads them in the work folder " + folder + "." : "; " + ADVICE),
        fault);
  }

  private StateSqlException ended(ReadingProcessException fault) {
    return new StateSqlException(
        ErrorCode.READER_ENDED,
        where()
            + "the process that read the RocksDB files of "
            + split.file()
            + " "
            + fault.getMessage()
            + ". The next statement gets another; if it ends again, the files are damaged, or made"
            + " to do that.",
        fault);
  }

  private boolean mentionsMissingFile(RocksDBException fault) {
    return MENTION
        .matcher(fault.getMessage())
        .results()
        .anyMatch(mention -> !sources.containsKey(mention.group(1)));
  }

  private String inTermsOfSources(RocksDBException fault) {
    Matcher mention = MENTION.matcher(fault.getMessage());
    StringBuilder result = new StringBuilder();
    while (mention.find()) {
      String source = sources.getOrDefault(mention.group(1), mention.group(1));
      mention.appendReplacement(result, Matcher.quoteReplacement(source));
    }
    mention.appendTail(result);
    String text = result.toString().replace(folder.toString(), "the work folder");
    return text.strip().replaceAll("\\s+", " ").replaceFirst("\\.$", "");
  }

  private StateSqlException malformed(String what) {
    return new StateSqlException(ErrorCode.MALFORMED_SNAPSHOT, where() + what + "; " + ADVICE);
  }

  private String where() {
    return SplitFault.where(split, null, -1);
  }
}
