/**
 * What a split is and what it holds, whatever its form: {@link io.statesql.format.model.KeyedSplit}
 * and {@link io.statesql.format.model.OperatorSplit} with their headers and states, {@link
 * io.statesql.format.model.KeyedElements}, the elements that each form gives, and where the columns
 * of a table come from. Opens nothing.
 */
package io.statesql.format.model;
