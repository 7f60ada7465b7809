/** Which coordinator a connection asks, and what this process tells it. */
package io.statesql.location;
