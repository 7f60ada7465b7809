/**
 * The parts of the driver {@code jdbc:statesql:} that extend package-private classes of Calcite's
 * driver.
 */
package org.apache.calcite.jdbc;
