/**
 * The door to the bytes: {@link io.statesql.format.split.KeyedSplits} and {@link
 * io.statesql.format.split.OperatorSplits} read the headers of an operator and open its splits,
 * each by its form, with what a transaction has staged over it.
 */
package io.statesql.format.split;
