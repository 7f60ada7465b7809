package io.statesql.format;

import io.statesql.type.Codec;
import io.statesql.type.NamespaceKind;

/**
 * The codecs of one state's {@link KeyedElement}s.
 *
 * @param namespace of a TIMER, that of its element
 * @param mapKey null for all kinds but MAP
 * @param value of one value, list element or map value, within the TTL wrapper if there is one; null
 *     for TIMER
 * @param hasTtl whether eight bytes of last access time stand before each value
 * @param wholeList whether the bytes of a whole list are one value, because the end of an element
 *     cannot be found without its class
 */
public record ElementCodecs(
    Codec key, Codec namespace, Codec mapKey, Codec value, boolean hasTtl, boolean wholeList) {

  /** Whether the namespace is a window of a start and an end. */
  boolean hasTimeWindow() {
    return false;
  }
}
