/**
 * The JDBC driver {@code jdbc:statesql:}: its connection properties, and how a statement is
 * prepared and run. Its catalogs come from a {@link io.statesql.jdbc.CatalogSource}.
 */
package io.statesql.jdbc;
