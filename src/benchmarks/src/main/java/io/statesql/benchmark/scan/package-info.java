/**
 * Questions to a large snapshot: StateSQL, Flink's State Processor API and bare loops, side by
 * side.
 */
package io.statesql.benchmark.scan;
