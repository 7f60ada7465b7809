package io.statesql.benchmark.scan;

/** The sums of the question about all states. */
final class BareSums {
  long entries;
  long bytes;
  long profiles;
  long visits;
  double balance;
  long nameLength;
  long total;
  long pages;
  long pageSum;

  void add(BareSums other) {
    entries += other.entries;
    bytes += other.bytes;
    profiles += other.profiles;
    visits += other.visits;
    balance += other.balance;
    nameLength += other.nameLength;
    total += other.total;
    pages += other.pages;
    pageSum += other.pageSum;
  }

  /** The answer to {@link Question#SCAN}, or the number of entries where none were decoded. */
  @Override
  public String toString() {
    return profiles == 0
        ? String.valueOf(entries)
        : profiles
            + ","
            + visits
            + ","
            + (long) balance
            + ","
            + nameLength
            + ","
            + total
            + ","
            + pages
            + ","
            + pageSum;
  }
}
