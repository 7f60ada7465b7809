/** How a process talks to a coordinator elsewhere: typed calls, and reports in the background. */
package io.statesql.coordinator.client;
