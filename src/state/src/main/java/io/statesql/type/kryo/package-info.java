/**
 * Kryo data of JDK classes, of Kryo 5 (Flink 2) and Kryo 2 (Flink 1), by an allow-list: the bytes
 * choose among known classes and load none. Not here: objects of the job, which need {@link
 * io.statesql.type.serializer.JobClasses}.
 */
package io.statesql.type.kryo;
