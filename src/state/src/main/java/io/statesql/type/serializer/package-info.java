/**
 * Reads serializer snapshots: the framings that all share ({@code SnapshotReader}), what is known
 * beside a snapshot ({@link io.statesql.type.serializer.SerializerContext}), and the families of
 * flink-core and flink-runtime, one in each file named {@code *Snapshots}. Gives a {@link
 * io.statesql.type.serializer.StoredSerializer}: a description for people and a codec. Which
 * families there are it is told ({@code SerializerFamilies}).
 */
package io.statesql.type.serializer;
