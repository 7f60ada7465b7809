/** A job with keys of every type, to see whether Flink finds the keys that SQL adds. */
package io.statesql.examples.keys;
