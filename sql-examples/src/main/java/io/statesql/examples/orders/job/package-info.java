/** The orders job: one operator for each part of the shop, one kind of state or more in each. */
package io.statesql.examples.orders.job;
