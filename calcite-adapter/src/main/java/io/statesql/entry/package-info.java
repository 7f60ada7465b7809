/** Single entries of keyed state, found and changed by address and without a planner. */
package io.statesql.entry;
