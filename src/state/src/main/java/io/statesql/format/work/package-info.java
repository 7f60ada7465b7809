/**
 * Private folders for what a process puts on the disk while it runs: found and removed by the next
 * one where a process was killed, and native libraries, which are loaded from one.
 */
package io.statesql.format.work;
