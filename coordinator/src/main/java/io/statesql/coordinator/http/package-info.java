/** The coordinator over HTTP, on Jetty. */
package io.statesql.coordinator.http;
