/**
 * From the rows of a statement to changed state: values become the bytes of their stored types, and
 * rows the entries that they stand for. A row that cannot be stored is refused with its column, its
 * key and the reason, before anything is staged.
 */
package io.statesql.change;
