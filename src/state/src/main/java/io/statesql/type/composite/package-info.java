/**
 * Codecs that are made of others: tuples, rows, lists, maps, optional values, timers and windows.
 * Those that a caller takes apart are public for that. What a serializer snapshot says of them is
 * read in {@link io.statesql.type.serializer}; POJOs, rows of Flink SQL and Avro records have rooms
 * of their own.
 */
package io.statesql.type.composite;
