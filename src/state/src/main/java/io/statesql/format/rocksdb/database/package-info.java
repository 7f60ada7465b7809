/** An open RocksDB database and what walks its entries: RocksDB itself in this process. */
package io.statesql.format.rocksdb.database;
