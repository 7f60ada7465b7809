/** Operator state: lists and broadcast maps of a subtask. */
package io.statesql.format.operator;
