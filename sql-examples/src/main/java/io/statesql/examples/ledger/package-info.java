/** A job with a sink that commits in two phases, to see whether edits keep what is pending. */
package io.statesql.examples.ledger;
