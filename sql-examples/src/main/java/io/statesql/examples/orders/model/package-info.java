/** The types that the orders job keeps in its state. */
package io.statesql.examples.orders.model;
