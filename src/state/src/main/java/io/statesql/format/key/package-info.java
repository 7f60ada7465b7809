/**
 * Key group, key, namespace and map key in one run of bytes, as canonical files and RocksDB hold
 * them.
 */
package io.statesql.format.key;
