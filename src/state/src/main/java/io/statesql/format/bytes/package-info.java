/**
 * Bytes of state files: bounded and block-wise input, snappy frames, where key groups lie. Knows
 * nothing of states and entries.
 */
package io.statesql.format.bytes;
