/**
 * The JDBC driver {@code jdbc:statesql:}: connection properties, name rules, the one type system,
 * and the translation of every failure into a {@link java.sql.SQLException} of one sentence. Its
 * catalogs come from a {@link io.statesql.jdbc.CatalogSource}.
 */
package io.statesql.jdbc;
