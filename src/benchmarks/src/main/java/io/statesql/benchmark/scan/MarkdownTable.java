package io.statesql.benchmark.scan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Rows of text, as Markdown. */
final class MarkdownTable {
  private final List<List<String>> rows = new ArrayList<>();

  MarkdownTable(String... titles) {
    add(titles);
    rows.add(Collections.nCopies(titles.length, "---"));
  }

  void add(String... cells) {
    rows.add(List.of(cells));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      text.append("| ").append(String.join(" | ", row)).append(" |\n");
    }
    return text.toString();
  }
}
