/** The input of the orders job as a formula; the JDK alone. */
package io.statesql.examples.orders.input;
