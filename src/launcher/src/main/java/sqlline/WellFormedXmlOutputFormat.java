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

import java.util.HashSet;
import java.util.Set;

/**
 * A result as an XML 1.0 document whose columns are attributes or elements of its rows. A column
 * whose label is no XML name is written with {@code _} for each character that a name may not have;
 * NULL is left out; a character that XML cannot hold is U+FFFD. Written by hand, for the JDK's
 * writer leaves tabs and line ends in attributes as they are, which a reader takes for blanks, and
 * writes characters that XML cannot hold.
 */
final class WellFormedXmlOutputFormat implements OutputFormat {
  private final SqlLine shell;
  private final boolean attributes;

  WellFormedXmlOutputFormat(SqlLine shell, boolean attributes) {
    this.shell = shell;
    this.attributes = attributes;
  }

  @Override
  public int print(Rows rows) {
    String[] labels = rows.next().values;
    String[] names = new String[labels.length];
    Set<String> taken = new HashSet<>();
    for (int i = 0; i < labels.length; i++) {
      String name = name(labels[i]);
      // An element may not have two attributes of one name.
      for (int next = 2; attributes && !taken.add(name); next++) {
        name = name(labels[i]) + "_" + next;
      }
      names[i] = name;
    }
    shell.output("<resultset>");
    int count = 0;
    while (rows.hasNext()) {
      String[] values = rows.next().values;
      shell.output(attributes ? attributes(names, values) : elements(names, values));
      count++;
    }
    shell.output("</resultset>");
    return count;
  }

  private static String attributes(String[] names, String[] values) {
    StringBuilder xml = new StringBuilder("  <result");
    for (int i = 0; i < names.length; i++) {
      if (values[i] != null) {
        xml.append(' ').append(names[i]).append("=\"");
        appendText(xml, values[i]);
        xml.append('"');
      }
    }
    return xml.append("/>").toString();
  }

  private static String elements(String[] names, String[] values) {
    String separator = SqlLine.getSeparator();
    StringBuilder xml = new StringBuilder("  <result>").append(separator);
    for (int i = 0; i < names.length; i++) {
      if (values[i] != null) {
        xml.append("    <").append(names[i]).append('>');
        appendText(xml, values[i]);
        xml.append("</").append(names[i]).append('>').append(separator);
      }
    }
    return xml.append("  </result>").toString();
  }

  private static String name(String label) {
    StringBuilder name = new StringBuilder(label.length() + 1);
    for (int i = 0; i < label.length(); i++) {
      char c = label.charAt(i);
      boolean inside = c == '-' || c == '.' || Character.isDigit(c);
      boolean anywhere = c == '_' || Character.isLetter(c);
      if (name.isEmpty() && inside) {
        name.append('_');
      }
      name.append(inside || anywhere ? c : '_');
    }
    return name.isEmpty() ? "_" : name.toString();
  }

  private static void appendText(StringBuilder xml, String text) {
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> xml.append("&lt;");
                case '>' -> xml.append("&gt;");
                case '&' -> xml.append("&amp;");
                case '"' -> xml.append("&quot;");
                // As they are, a reader would turn them into blanks or line feeds.
                case '\n', '\r', '\t' -> xml.append("&#").append(c).append(';');
                default -> xml.appendCodePoint(isXml(c) ? c : 0xFFFD);
              }
            });
  }

  /** The production Char of XML 1.0, but for the blanks. */
  private static boolean isXml(int c) {
    return (c >= 0x20 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0xFFFD) || c >= 0x10000;
  }
}
