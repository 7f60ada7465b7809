/**
 * Changed state: what the statements of a transaction put and remove, held in stored bytes, and the
 * writer that makes a savepoint of a snapshot and such changes.
 *
 * <p>Nothing here knows SQL: values have been made bytes by {@link io.statesql.type.Codec}s before,
 * and the group of a key is known.
 */
package io.statesql.edit;
