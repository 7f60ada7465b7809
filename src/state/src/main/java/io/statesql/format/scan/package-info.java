/**
 * What a scan asks of a split: states, key groups, and the elements that a condition wants, in
 * stored bytes.
 */
package io.statesql.format.scan;
