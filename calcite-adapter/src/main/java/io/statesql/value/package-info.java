/** Values between the engine, JDBC, JSON and text: how each type is written, and read back. */
package io.statesql.value;
