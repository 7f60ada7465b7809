/** What the states of the orders job must hold; the JDK and the input formula alone. */
package io.statesql.examples.orders.expect;
