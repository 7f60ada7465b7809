/**
 * The meaning of statements: the one type system, names, what is refused with its reason, and the
 * rewrites that give Calcite's plans the meaning that StateSQL documents. {@code
 * StateSqlValidator}, {@code StateSqlConverter} and {@code StateSqlRexBuilder} are what {@link
 * io.statesql.jdbc} prepares a statement with; {@link io.statesql.sql.SqlErrors} makes an error for
 * a user of every failure. Runs nothing.
 */
package io.statesql.sql;
