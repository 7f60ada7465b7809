/**
 * Values of Stateful Functions: their envelopes, and messages of Protobuf by the descriptors in the
 * snapshot.
 */
package io.statesql.type.statefun;
