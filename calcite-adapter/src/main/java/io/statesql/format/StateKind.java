package io.statesql.format;

/** What kind of state a snapshot holds under a name; the words that SQL shows. */
public enum StateKind {
  VALUE,
  LIST,
  MAP,
  REDUCING,
  AGGREGATING,
  /** Timers of one service and time domain: a priority queue in Flink's words. */
  TIMER,
  SPLIT_LIST,
  UNION_LIST,
  BROADCAST
}
