/**
 * Records what Apache Flink itself yields when it restores a snapshot, as text files with which the
 * tests of the reader compare.
 */
package io.statesql.golden;
