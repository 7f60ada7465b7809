/** What is in a snapshot: its metadata, operators, state handles and files. */
package io.statesql.snapshot;
