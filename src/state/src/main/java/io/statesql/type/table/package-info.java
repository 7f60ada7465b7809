/** Rows of Flink SQL in their binary form, and the logical types that their snapshots hold. */
package io.statesql.type.table;
