/** What every room of the house shares: the one exception type and its catalogue of causes. */
package io.statesql;
