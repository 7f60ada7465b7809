package io.statesql.server;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a user may do; each may do what those before it may. */
public enum Role {
  /** Queries. */
  @JsonProperty("reader")
  READER,
  /** INSERT, UPDATE, DELETE, where the server is writable. */
  @JsonProperty("writer")
  WRITER,
  /** DROP SCHEMA too. */
  @JsonProperty("admin")
  ADMIN;

  boolean includes(Role other) {
    return compareTo(other) >= 0;
  }
}
