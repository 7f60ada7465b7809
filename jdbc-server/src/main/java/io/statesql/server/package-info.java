/**
 * The server for Avatica's remote driver: one port, the mounts of a command line or configuration
 * file, users, limits. What SQL means is the embedded driver's business.
 */
package io.statesql.server;
