/**
 * The grammar of Java's object streams, read without making any object; only for what Flink itself
 * stores in that form.
 */
package io.statesql.type.objectstream;
