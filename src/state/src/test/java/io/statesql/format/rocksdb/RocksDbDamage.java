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

import io.statesql.StateSqlException;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.scan.ElementCondition;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.KeyedStateHandle.LocalFile;
import io.statesql.snapshot.Snapshot;
import io.statesql.snapshot.StateFile;
import io.statesql.snapshot.StreamHandle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/**
 * A program that damages the RocksDB files of a snapshot in memory, again and again, and reads
 * them. To be run in a process of its own, which shows whether a JVM survives that.
 *
 * <p>Arguments: the snapshot's folder, the first and the last seed. Prints each seed with what is
 * damaged before it reads, and the outcome after.
 */
final class RocksDbDamage {
  /** A fourth argument: the checksums are made right again, as nobody does by accident. */
  static final String HOSTILE = "hostile";

  static final String ROWS = "rows";
  static final String REFUSED = "refused";
  static final String OTHER_ROWS = "other rows";

  /** How far beyond the end of a table its footer and what lies around it may reach. */
  private static final int FOOTER = 64;

  private final Snapshot snapshot;
  private final KeyedSplit split;
  private final KeyedStateHandle.Incremental handle;
  private final List<LocalFile> files;
  private final List<RocksDbRow> sound;
  private final boolean hostile;

  private RocksDbDamage(String folder, boolean hostile) {
    this.hostile = hostile;
    this.snapshot = Snapshot.open(folder);
    this.split = RocksDbBackend.splits(snapshot).get(0);
    this.handle = (KeyedStateHandle.Incremental) split.handle();
    this.files = new ArrayList<>();
    for (LocalFile file : handle.shared()) {
      files.add(inlined(file));
    }
    for (LocalFile file : handle.privateFiles()) {
      files.add(inlined(file));
    }
    this.sound = read(files);
  }

  public static void main(String[] args) {
    RocksDbDamage damage = new RocksDbDamage(args[0], args.length > 3 && args[3].equals(HOSTILE));
    for (long seed = Long.parseLong(args[1]); seed <= Long.parseLong(args[2]); seed++) {
      damage.run(seed);
    }
  }

  private void run(long seed) {
    Random random = new Random(seed);
    if (hostile) {
      runHostile(seed, random);
      return;
    }
    List<LocalFile> damaged = new ArrayList<>(files);
    int index = random.nextInt(files.size());
    LocalFile file = files.get(index);
    byte[] bytes = content(file);
    String what = file.localPath() + " of " + bytes.length + ": ";
    int kind = random.nextInt(5);
    if (kind == 0) {
      int length = random.nextInt(bytes.length + 1);
      bytes = java.util.Arrays.copyOf(bytes, length);
      what += "cut to " + length;
    } else if (bytes.length > 0) {
      int from = kind == 1 ? Math.max(0, bytes.length - FOOTER) : 0;
      int count = kind == 4 ? 1 + random.nextInt(16) : 1;
      for (int i = 0; i < count; i++) {
        int at = from + random.nextInt(bytes.length - from);
        bytes[at] = (byte) (kind == 3 ? random.nextInt(256) : bytes[at] ^ 1 << random.nextInt(8));
        what += at + "=" + (bytes[at] & 0xFF) + " ";
      }
    }
    damaged.set(index, inlined(file.localPath(), bytes));
    System.out.println(seed + " " + what);
    System.out.println(seed + " -> " + outcome(damaged));
  }

  private void runHostile(long seed, Random random) {
    boolean inManifest = random.nextInt(4) == 0;
    List<LocalFile> candidates =
        files.stream()
            .filter(file -> file.localPath().matches(inManifest ? "MANIFEST-.*" : ".*[.]sst"))
            .toList();
    LocalFile file = candidates.get(random.nextInt(candidates.size()));
    byte[] bytes = content(file);
    String what =
        inManifest
            ? new HostileManifest(bytes, random).change()
            : new HostileTable(bytes, random).change();
    List<LocalFile> changed = new ArrayList<>(files);
    changed.set(files.indexOf(file), inlined(file.localPath(), bytes));
    System.out.println(seed + " " + file.localPath() + ": " + what);
    System.out.println(seed + " -> " + outcome(changed));
  }

  private String outcome(List<LocalFile> damaged) {
    try {
      return read(damaged).equals(sound) ? ROWS : OTHER_ROWS;
    } catch (StateSqlException e) {
      return REFUSED + " " + e.getMessage();
    }
  }

  private List<RocksDbRow> read(List<LocalFile> present) {
    KeyedStateHandle.Incremental changed =
        new KeyedStateHandle.Incremental(
            handle.checkpointId(),
            handle.backendId(),
            handle.keyGroups(),
            handle.checkpointedSize(),
            handle.metadata(),
            List.of(),
            present,
            handle.stateHandleId());
    BitSet all = new BitSet();
    all.set(0, split.header().states().size());
    SplitScan scan = new SplitScan(split, all, ElementCondition.NONE, snapshot.scan().counters());
    try (KeyedElements elements =
        RocksDbElements.open(snapshot, scan, changed, RocksDbElements.Order.BY_STATE)) {
      return RocksDbRow.of(elements);
    }
  }

  private LocalFile inlined(LocalFile file) {
    return inlined(file.localPath(), content(file));
  }

  private static LocalFile inlined(String name, byte[] bytes) {
    return new LocalFile(name, new StreamHandle.ByteStream(name, Bytes.copyOf(bytes)));
  }

  private byte[] content(LocalFile file) {
    try (StateFile in = snapshot.open(file.handle())) {
      byte[] bytes = new byte[(int) in.length()];
      in.readFully(bytes, 0, bytes.length);
      return bytes;
    }
  }
}
