package io.statesql.format;

import io.statesql.snapshot.KeyedStateHandle;
import io.statesql.snapshot.OperatorState;

/**
 * A range of key groups of one operator with the handle that holds them: the unit of reading.
 *
 * @param subtask the index of the subtask that wrote the handle
 * @param file how a message names the file: its path, or that it stands in the metadata
 */
public record KeyedSplit(
    OperatorState operator,
    int subtask,
    KeyedStateHandle handle,
    KeyedHeader header,
    String file) {}
