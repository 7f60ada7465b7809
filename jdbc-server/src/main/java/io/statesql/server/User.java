package io.statesql.server;

/**
 * Who sends requests.
 *
 * @param name empty where the server asks nobody for a name
 */
public record User(String name, Role role) {
  /** Everybody, on a server without users. */
  static final User ANYBODY = new User("", Role.ADMIN);
}
