/**
 * An open RocksDB database and what walks its entries: RocksDB in this process, or in one of its
 * own for snapshots that are not trusted.
 */
package io.statesql.format.rocksdb.database;
