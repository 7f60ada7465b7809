/**
 * RocksDB's own files: checked, linked or copied into a private work folder, opened, walked in
 * order or from place to place, and rewritten.
 */
package io.statesql.format.rocksdb;
