/** The registry of which process holds which state store, and the messages that change it. */
package io.statesql.coordinator;
