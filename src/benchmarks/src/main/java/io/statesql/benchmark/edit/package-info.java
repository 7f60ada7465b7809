/**
 * What it costs to change a large snapshot, beside a program for Flink's State Processor API and
 * beside a copy of the files.
 */
package io.statesql.benchmark.edit;
