/** A source that stops at a known place of its input. */
package io.statesql.examples.orders.source;
