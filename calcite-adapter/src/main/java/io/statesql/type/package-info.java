/** Serializer snapshot to SQL type and codec: no Calcite planner, no I/O. */
package io.statesql.type;
