/** The JSON that the coordinator's server and clients exchange. */
package io.statesql.coordinator.wire;
