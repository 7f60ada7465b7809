/**
 * The parts of the shell that reach into sqlline 1.12, whose extension points are package-private.
 */
package sqlline;
