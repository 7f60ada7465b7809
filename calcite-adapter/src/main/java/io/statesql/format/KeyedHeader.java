package io.statesql.format;

import io.statesql.type.StoredSerializer;
import java.util.List;

/**
 * The header of one keyed state handle: what Flink's {@code KeyedBackendSerializationProxy} (version
 * 6, Flink 1.8 to 2.3) holds.
 *
 * @param compressed whether each key group is a snappy-framed stream of its own
 * @param states in the order in which entries refer to them
 * @param length of the header in bytes
 */
public record KeyedHeader(
    boolean compressed, StoredSerializer key, List<KeyedStateMeta> states, long length) {
  public KeyedHeader {
    states = List.copyOf(states);
  }
}
