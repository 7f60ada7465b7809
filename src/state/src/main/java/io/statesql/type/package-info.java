/**
 * Serializer snapshot to SQL type and codec: no Calcite planner, no I/O, no class of the job.
 *
 * <p>{@link io.statesql.type.StoredSerializers} reads a serializer snapshot and gives a {@link
 * io.statesql.type.StoredSerializer}: a description for people and a {@link
 * io.statesql.type.Codec}, whose {@link io.statesql.type.SqlType} is the shape of its values. The
 * snapshot classes are known to the files named {@code *Snapshots}, one for each family; {@code
 * SnapshotReader} knows the framings they share. Codecs that a caller takes apart are public:
 * {@link io.statesql.type.ListCodec}, {@link io.statesql.type.MapCodec}, {@link
 * io.statesql.type.TtlCodec}, {@link io.statesql.type.TimerCodec} and the namespaces {@link
 * io.statesql.type.VoidNamespaceCodec}, {@link io.statesql.type.TimeWindowCodec} and {@link
 * io.statesql.type.GlobalWindowCodec}. Files named {@code Kryo*} read Kryo data, {@code Avro*} what
 * Flink writes by an Avro schema.
 *
 * <p>A value that cannot be decoded is opaque: its bytes, with a reason. If it has no length of its
 * own it is undelimited and takes all bytes that are left. A struct shows such a field last and
 * leaves out those behind it, which its reason names; a collection with such elements is opaque as
 * a whole, but keeps the codecs of its parts for layouts that store them apart.
 */
package io.statesql.type;
