/** Runs the orders job and writes snapshots of it. */
package io.statesql.examples.orders;
