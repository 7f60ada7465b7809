/** Single state entries over HTTP, at a fixed rate. */
package io.statesql.benchmark.http;
