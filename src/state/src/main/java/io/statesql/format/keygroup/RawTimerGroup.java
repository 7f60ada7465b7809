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
package io.statesql.format.keygroup;

import com.google.common.io.ByteStreams;
import io.statesql.format.bytes.BlockInput;
import io.statesql.format.bytes.KeyGroupExtents;
import io.statesql.format.model.ElementCodecs;
import io.statesql.format.model.KeyedElement;
import io.statesql.snapshot.StateFile;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import io.statesql.type.serializer.SerializerContext;
import java.io.IOException;

/**
 * Walks one key group of the timers that a RocksDB backend with timers on the heap writes to raw
 * keyed state: a mark, a version, and for each timer service its name, the serializer snapshots of
 * key and namespace, its event timers and its processing timers, each a count and so many timers of
 * key, namespace and time. See {@code InternalTimerServiceSerializationProxy} and {@code
 * InternalTimersSnapshotReaderWriters} (Flink 2.3, in org.apache.flink.streaming.api.operators).
 * Reusable; not thread-safe.
 */
final class RawTimerGroup {
  /** {@code org.apache.flink.core.io.PostVersionedIOReadableWritable.VERSIONED_IDENTIFIER}. */
  private static final int MARK = 0xF1CD859F;

  /** Since Flink 1.8. */
  private static final int VERSION = 2;

  private final BlockInput in;
  private final SerializerContext context;
  private int servicesLeft;

  /**
   * @param maxValueBytes how many bytes a key may have
   */
  RawTimerGroup(SerializerContext serializers, int maxValueBytes) {
    this.in = new BlockInput(maxValueBytes);
    this.context = serializers;
  }

  /** Whether a key group starts as one of timers does, not as other raw keyed state. */
  static boolean isTimers(StateFile file, KeyGroupExtents extents, int extent) {
    if (extents.end(extent) - extents.start(extent) < Integer.BYTES) {
      return false;
    }
    byte[] mark = new byte[Integer.BYTES];
    file.seek(extents.start(extent));
    file.readFully(mark, 0, mark.length);
    return new StateInput(mark).readInt() == MARK;
  }

  /** Moves to the beginning of a key group that is not empty. */
  void open(StateFile file, KeyGroupExtents extents, int extent) throws IOException {
    long start = extents.start(extent);
    long end = extents.end(extent);
    file.seek(start);
    in.reset(ByteStreams.limit(file, end - start), start, end);
    if (in.readInt() != MARK) {
      throw new MalformedValueException(start, "a key group of timers lacks its mark");
    }
    int version = in.readInt();
    if (version != VERSION) {
      throw new MalformedValueException(
          in.offset() - Integer.BYTES,
          "timers are written in version " + version + ", but Flink 1.8 to 2.3 write " + VERSION);
    }
    servicesLeft = readCount();
  }

  /**
   * The next timer service, or null after the last one; the timers of the one before must have been
   * passed.
   */
  RawTimerService nextService() throws IOException {
    in.mark();
    if (servicesLeft == 0) {
      in.requireEnd();
      return null;
    }
    servicesLeft--;
    return in.read(bytes -> RawTimerService.read(bytes, context));
  }

  /** A copy of the bytes of the service or timer that was read last. */
  byte[] lastRead() {
    StateInput bytes = in.window(new StateInput(), 0, in.sinceMark());
    return bytes.readBytes(bytes.remaining());
  }

  /** Writes what stands before the services of a key group. */
  static void writeHead(int services, StateOutput out) {
    out.writeInt(MARK);
    out.writeInt(VERSION);
    out.writeInt(services);
  }

  /** Where in the file what comes next begins. */
  long offset() {
    return in.offset();
  }

  /** The number before a service's event timers, and before its processing timers. */
  int readCount() throws IOException {
    in.mark();
    int count = in.readInt();
    if (count < 0) {
      throw new MalformedValueException(in.offset() - Integer.BYTES, "a count is " + count);
    }
    return count;
  }

  /** Moves over a timer. */
  void skipTimer(RawTimerService service) throws IOException {
    in.mark();
    in.readValue(service.key().codec());
    in.readValue(service.namespace().codec());
    in.readBlock(Long.BYTES);
  }

  /** Reads a timer into {@code element}, whose state is set by the caller. */
  void readTimer(KeyedElement element) throws IOException {
    ElementCodecs codecs = element.state.codecs();
    in.mark();
    int keyStart = in.readValue(codecs.key());
    int namespaceStart = in.readValue(codecs.namespace());
    int timeStart = in.readBlock(Long.BYTES);
    in.window(element.key, keyStart, namespaceStart - keyStart);
    in.window(element.namespace, namespaceStart, timeStart - namespaceStart);
    element.timestamp = in.window(element.value, timeStart, Long.BYTES).readLong();
    in.window(element.mapKey, in.sinceMark(), 0);
  }
}
