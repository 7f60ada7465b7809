/**
 * Types and codecs without classes of the job: the kit from which every family of serializers makes
 * its codecs.
 *
 * <p>{@link io.statesql.type.Codec} reads, skips and writes the bytes of one type, and {@link
 * io.statesql.type.SqlType} is the shape of its values. The codecs here know of no other: values of
 * a fixed or a variable length, opaque ones, and what they share. Rooms below this one hold the
 * families; {@link io.statesql.type.registry} is where a caller begins. No I/O, no planner.
 *
 * <p>A value that cannot be decoded is opaque: its bytes, with a reason. If it has no length of its
 * own it is undelimited and takes all bytes that are left. A struct shows such a field last and
 * leaves out those behind it, which its reason names; a collection with such elements is opaque as
 * a whole, but keeps the codecs of its parts for layouts that store them apart.
 */
package io.statesql.type;
