/**
 * What SQL sees: catalogs, operator schemas, tables and system tables, and the names of all these.
 */
package io.statesql.schema;
