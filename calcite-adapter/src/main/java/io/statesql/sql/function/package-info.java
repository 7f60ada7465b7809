/**
 * What generated code calls: functions, operators and aggregates whose results Calcite's own would
 * get wrong, or not bound.
 */
package io.statesql.sql.function;
