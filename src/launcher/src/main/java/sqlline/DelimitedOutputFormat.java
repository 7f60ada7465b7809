/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file
 * except in compliance with the License. You may obtain a copy of the License at
 *
 *     https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions
 * and limitations under the License.
 */
package sqlline;

/**
 * Delimited values as RFC 4180 has them, but for two choices. Lines end as the platform's do, so
 * that line tools take them; NULL is an empty field, the empty text is {@code ""}.
 */
final class DelimitedOutputFormat extends AbstractOutputFormat {
  private final boolean csv;

  /**
   * @param csv whether the delimiter is that of the property {@code csvDelimiter}; else it is a tab
   */
  DelimitedOutputFormat(SqlLine shell, boolean csv) {
    super(shell);
    this.csv = csv;
  }

  @Override
  void printHeader(Rows.Row header) {
    printValues(header.values);
  }

  @Override
  void printRow(Rows rows, Rows.Row header, Rows.Row row) {
    printValues(row.values);
  }

  @Override
  void printFooter(Rows.Row header) {}

  private void printValues(String[] values) {
    SqlLineOpts opts = sqlLine.getOpts();
    String delimiter = csv ? opts.getCsvDelimiter() : "\t";
    // sqlline's own default, the apostrophe, is not what readers of CSV expect.
    boolean ownQuote = csv && !opts.isDefault(BuiltInProperty.CSV_QUOTE_CHARACTER);
    char quote = ownQuote ? opts.getCsvQuoteCharacter() : '"';
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < values.length; i++) {
      if (i > 0) {
        line.append(delimiter);
      }
      if (values[i] != null) {
        appendValue(line, values[i], delimiter, quote);
      }
    }
    sqlLine.output(line.toString());
  }

  private static void appendValue(StringBuilder line, String value, String delimiter, char quote) {
    if (!needsQuotes(value, delimiter, quote)) {
      line.append(value);
      return;
    }
    line.append(quote);
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == quote) {
        line.append(quote);
      }
      line.append(c);
    }
    line.append(quote);
  }

  private static boolean needsQuotes(String value, String delimiter, char quote) {
    return value.isEmpty()
        || value.indexOf(quote) >= 0
        || value.indexOf('\n') >= 0
        || value.indexOf('\r') >= 0
        || value.contains(delimiter);
  }
}
