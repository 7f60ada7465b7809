/**
 * What Flink writes by an Avro schema that the snapshot holds: no generated class, no reader of
 * Avro's.
 */
package io.statesql.type.avro;
