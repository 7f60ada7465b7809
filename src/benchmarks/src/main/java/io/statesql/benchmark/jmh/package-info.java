/** Single parts of StateSQL, measured with JMH: {@code src/benchmarks/run codecs}. */
package io.statesql.benchmark.jmh;
