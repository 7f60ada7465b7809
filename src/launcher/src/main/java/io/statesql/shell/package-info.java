/**
 * The command line: what a user may type, turned into a connection and the statements to run on it.
 * The shell itself is sqlline's; the classes that must see its package-private members live in
 * package {@code sqlline} of this module.
 */
package io.statesql.shell;
