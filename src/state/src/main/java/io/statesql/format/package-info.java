/**
 * The bytes of one split and the entries in them: headers, composite keys, and one reader per
 * layout. Knows types and files; knows nothing of planners, schemas or names that SQL sees.
 */
package io.statesql.format;
