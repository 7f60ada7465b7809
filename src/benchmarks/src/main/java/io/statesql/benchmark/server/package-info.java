/** The server as a process of its own, seen by its clients and by the system. */
package io.statesql.benchmark.server;
