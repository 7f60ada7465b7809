/**
 * Statements that Calcite does not know, as the parser reads them. What they do stands in {@code
 * jdbc}.
 */
package io.statesql.sql.statement;
