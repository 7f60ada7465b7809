package io.statesql.format;

import io.statesql.type.StoredSerializer;

/**
 * What the header of one keyed state handle says of one state.
 *
 * @param name as the job registered it; timers are called {@code _timer_state/<domain>_<service>}
 * @param id its position in the header, by which entries refer to it
 * @param namespace null for {@link StateKind#TIMER}, whose element holds key and namespace
 * @param value the stored value serializer: of the whole list or map for LIST and MAP, of the element
 *     for TIMER
 * @param codecs for the state's elements
 */
public record KeyedStateMeta(
    String name,
    int id,
    StateKind kind,
    StoredSerializer namespace,
    StoredSerializer value,
    ElementCodecs codecs) {}
