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
package io.statesql.type.serializer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.ObjectCodec;
import io.statesql.type.OpaqueCodec;
import io.statesql.type.PartlyReadable;
import io.statesql.type.StateInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The framings that serializer snapshots share, over one input: versioned snapshots, nested blocks,
 * composites and optional maps. One use, one thread.
 */
public final class SnapshotReader {

  /** {@code NestedSerializersSnapshotDelegate}, flink-core 2.3. */
  private static final int NESTED_MAGIC = 0x001457FD;

  private static final int NESTED_VERSION = 1;

  /** {@code CompositeTypeSerializerSnapshot}, flink-core 2.3. */
  private static final int COMPOSITE_MAGIC = 0x000DE704;

  private static final int COMPOSITE_VERSION = 3;

  /** {@code LinkedOptionalMapSerializer}, flink-core 2.3. */
  private static final long OPTIONAL_MAP_MAGIC = 0x000004F2C69A3D70L;

  /** An empty class name and the version. */
  private static final int SHORTEST_SNAPSHOT = Short.BYTES + Integer.BYTES;

  /** Deeper nesting is taken for damage: no type that people write comes near it. */
  public static final int MAX_DEPTH = 64;

  /** A key name and two flags. */
  private static final int SHORTEST_ENTRY = Short.BYTES + 2;

  private final StateInput in;
  private final SerializerContext context;
  private final SerializerFamilies families;
  private final List<String> enums;
  private int depth;

  /** Names the snapshot that is being read: the same in all headers that have it. */
  private String path;

  /** How many snapshots, and how many optional maps, were read within it. */
  private int snapshots;

  private int maps;

  public SnapshotReader(StateInput in, SerializerContext context, SerializerFamilies families) {
    this(in, context, families, new ArrayList<>(), 0, context.place());
  }

  private SnapshotReader(
      StateInput in,
      SerializerContext context,
      SerializerFamilies families,
      List<String> enums,
      int depth,
      String path) {
    this.in = in;
    this.context = context;
    this.families = families;
    this.enums = enums;
    this.depth = depth;
    this.path = path;
  }

  /** What was read of enums so far, see {@link StoredSchema#enums}. */
  public List<String> enums() {
    return enums;
  }

  /** Tells of an enum whose constants are stored as numbers. */
  public void addEnum(String className, List<String> constants) {
    enums.add(className + constants);
  }

  public StateInput in() {
    return in;
  }

  public SerializerContext context() {
    return context;
  }

  /** Reads class name, version and payload. */
  public StoredSerializer readSnapshot() {
    if (depth == MAX_DEPTH) {
      throw in.malformed("serializer snapshots are nested deeper than %d levels", MAX_DEPTH);
    }
    int start = in.position();
    String className = in.readUtf();
    int version = in.readInt();
    SnapshotParser parser = families.parserOf(className);
    if (parser == null) {
      return readUnknown(start, className, version);
    }
    StoredSerializer serializer = readPayload(parser, version);
    boolean mayNeedClass =
        OpaqueCodec.needsClass(serializer.codec()) || serializer.codec() instanceof PartlyReadable;
    return mayNeedClass && context.jobClasses().isPresent()
        ? withClasses(start, serializer)
        : serializer;
  }

  private StoredSerializer readPayload(SnapshotParser parser, int version) {
    String outerPath = path;
    int outerSnapshots = snapshots;
    int outerMaps = maps;
    path += "/" + snapshots;
    snapshots = 0;
    maps = 0;
    depth++;
    StoredSerializer serializer = parser.parse(this, version);
    depth--;
    path = outerPath;
    snapshots = outerSnapshots + 1;
    maps = outerMaps;
    return serializer;
  }

  /** Where the snapshot stands that is being read. */
  public SnapshotPlace place() {
    return new SnapshotPlace(path, depth, context, families);
  }

  /** Reads a snapshot that stands nowhere in the header as if it stood at a place of it. */
  public static StoredSerializer readAt(SnapshotPlace place, StateInput snapshot) {
    return new SnapshotReader(
            snapshot,
            place.context().withPayloadLengths(Map.of()),
            place.families(),
            new ArrayList<>(),
            place.depth(),
            place.path())
        .readFramedSnapshot();
  }

  /** The same serializer, of keys. */
  StoredSerializer ofKey(StoredSerializer serializer) {
    return families.ofKey(serializer);
  }

  /** Asks the job's classes about a serializer of which we know that it needs, or may need them. */
  private StoredSerializer withClasses(int start, StoredSerializer serializer) {
    StateInput snapshot = new StateInput().window(in, start, in.position() - start);
    ObjectCodec codec;
    try {
      codec = codecOf(snapshot);
      if (snapshot.remaining() > 0) {
        throw new MissingJobClassException(
            "the class in the jars is of another version, for it does not read all of its"
                + " snapshot");
      }
    } catch (MissingJobClassException e) {
      return serializer.codec() instanceof PartlyReadable
          ? serializer
          : new StoredSerializer(
              serializer.description(),
              OpaqueCodec.stillOpaque(serializer.codec(), e.getMessage()));
    }
    return new StoredSerializer(
        serializer.description(),
        serializer.codec() instanceof PartlyReadable partly ? partly.orElse(codec) : codec);
  }

  /** Reads a snapshot of the job's own class, by that class or by an assumed length. */
  private StoredSerializer readUnknown(int start, String className, int version) {
    requireClassName(start, className);
    StoredSerializer unknown = ofUnknown(className);
    if (context.jobClasses().isPresent() && !context.readsJobSnapshots()) {
      unknown =
          new StoredSerializer(
              className,
              OpaqueCodec.stillOpaque(
                  unknown.codec(),
                  "its class in the jars is of another version, for it does not read its snapshot"
                      + " as it stands there"));
    } else if (context.readsJobSnapshots()) {
      StateInput snapshot = new StateInput().window(in, start, in.limit() - start);
      try {
        Codec codec = codecOf(snapshot);
        in.position(snapshot.position());
        return new StoredSerializer(className, codec);
      } catch (MissingJobClassException e) {
        unknown =
            new StoredSerializer(
                className, OpaqueCodec.stillOpaque(unknown.codec(), e.getMessage()));
      }
    }
    Integer length = context.payloadLengths().get(in.offset());
    if (length == null) {
      throw new UnknownSerializerException(className, version, in.offset());
    }
    in.skip(length);
    return unknown;
  }

  /** Refuses what stands where no name is, and a name of Flink's own with a wrong letter. */
  private void requireClassName(int start, String text) {
    long offset = in.offset() - (in.position() - start);
    if (!isClassName(text)) {
      throw new MalformedValueException(
          offset, "the class of a serializer snapshot should be named there");
    }
    String misspelt = families.misspelt(text);
    if (misspelt != null) {
      throw new MalformedValueException(
          offset,
          "one letter is wrong in the name of the class "
              + misspelt.substring(misspelt.lastIndexOf('.') + 1)
              + " of a serializer snapshot");
    }
  }

  /** What stands at a wrong position hardly ever can be the name of a class. */
  private static boolean isClassName(String text) {
    return !text.isEmpty()
        && Character.isJavaIdentifierStart(text.charAt(0))
        && text.chars().allMatch(SnapshotReader::isClassNamePart);
  }

  private static boolean isClassNamePart(int c) {
    return c == '.' || (Character.isJavaIdentifierPart(c) && !Character.isIdentifierIgnorable(c));
  }

  private ObjectCodec codecOf(StateInput snapshot) throws MissingJobClassException {
    int start = snapshot.position();
    ObjectCodec codec = context.jobClasses().orElseThrow().codec(snapshot);
    if (context.kryo() == KryoVersion.KRYO_2) {
      String text = new String(snapshot.array(), start, snapshot.position() - start, ISO_8859_1);
      if (text.contains(KryoVersion.SNAPSHOT_CLASS)) {
        throw new MissingJobClassException(
            "it holds Kryo 2 data, written by Flink 1, which the Kryo 5 of Flink 2 cannot read");
      }
    }
    return codec;
  }

  private static StoredSerializer ofUnknown(String snapshotClassName) {
    return new StoredSerializer(
        snapshotClassName,
        OpaqueCodec.undelimited(
            "The serializer snapshot "
                + snapshotClassName
                + " is not one of Flink's own: its values need the job's classes"));
  }

  /** The block that holds the snapshots of a serializer's parts. */
  public List<StoredSerializer> readNested() {
    requireMagic(NESTED_MAGIC, "nested serializer snapshots");
    int version = in.readInt();
    if (version != NESTED_VERSION) {
      throw in.malformed("nested serializer snapshots have the unknown version %d", version);
    }
    int count = in.readCount(SHORTEST_SNAPSHOT);
    List<StoredSerializer> nested = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      nested.add(readSnapshot());
    }
    return nested;
  }

  /** A nested block that must hold so many parts. */
  public List<StoredSerializer> readNested(int expected) {
    long offset = in.offset();
    List<StoredSerializer> nested = readNested();
    if (nested.size() != expected) {
      throw new MalformedValueException(
          offset,
          "a serializer of " + expected + " nested serializers cannot have " + nested.size());
    }
    return nested;
  }

  /**
   * The head of a composite snapshot, up to its outer part.
   *
   * @param version of the snapshot; up to 2 (Flink before 1.8) the outer part follows at once
   * @param newest the newest version of the outer part that the caller can read
   * @return the version of the outer part
   */
  public int readOuterVersion(int version, int newest) {
    int outerVersion;
    if (version < COMPOSITE_VERSION) {
      outerVersion = version;
    } else {
      requireVersion(version, COMPOSITE_VERSION);
      requireMagic(COMPOSITE_MAGIC, "a composite serializer snapshot");
      outerVersion = in.readInt();
    }
    requireVersion(outerVersion, newest);
    return outerVersion;
  }

  /** Refuses versions that no known Flink writes. */
  public void requireVersion(int version, int newest) {
    if (version < 0 || version > newest) {
      throw in.malformed(
          "a serializer snapshot has version %d but %d is the newest known", version, newest);
    }
  }

  /**
   * An ordered map whose keys and values are framed and may be absent. An unknown snapshot inside
   * of a frame makes that value opaque and harms nothing else.
   */
  public <V> List<OptionalEntry<V>> readOptionalMap(FrameReader<V> values) {
    long magic = in.readLong();
    if (magic != OPTIONAL_MAP_MAGIC) {
      throw in.malformed("a map of a serializer snapshot does not start with its magic number");
    }
    int count = in.readCount(SHORTEST_ENTRY);
    int map = maps++;
    List<OptionalEntry<V>> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String name = in.readUtf();
      StateInput key = in.readBoolean() ? readFrame() : null;
      V value =
          in.readBoolean()
              ? values.read(
                  new SnapshotReader(
                      readFrame(), context, families, enums, depth, path + "/" + map + ":" + name))
              : null;
      entries.add(new OptionalEntry<>(name, key, value));
    }
    return entries;
  }

  private StateInput readFrame() {
    int length = in.readCount(1);
    StateInput frame = new StateInput().reset(in.array(), in.position(), length, in.offset());
    in.skip(length);
    return frame;
  }

  /** The snapshot that fills this input, which is a frame. */
  public StoredSerializer readFramedSnapshot() {
    StoredSerializer serializer;
    try {
      serializer = readSnapshot();
    } catch (UnknownSerializerException e) {
      return ofUnknown(e.snapshotClassName());
    }
    in.requireEnd();
    return serializer;
  }

  private void requireMagic(int expected, String what) {
    int magic = in.readInt();
    if (magic != expected) {
      throw in.malformed("%s must start with %08x but %08x was found", what, expected, magic);
    }
  }

  /** Reads what one frame of an optional map holds. */
  @FunctionalInterface
  public interface FrameReader<V> {
    V read(SnapshotReader frame);
  }

  /**
   * An entry of an optional map.
   *
   * @param key the bytes of the key's frame, or null
   * @param value null if absent
   */
  public record OptionalEntry<V>(String name, StateInput key, V value) {}
}
