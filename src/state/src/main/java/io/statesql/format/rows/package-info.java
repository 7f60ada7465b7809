/**
 * Rows of tables out of elements: one for each element, for each key, or for each element of
 * operator state.
 */
package io.statesql.format.rows;
