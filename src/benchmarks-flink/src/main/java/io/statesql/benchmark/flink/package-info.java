/**
 * What Flink does in the benchmarks: a job that writes snapshots, and the State Processor API that
 * reads them.
 */
package io.statesql.benchmark.flink;
