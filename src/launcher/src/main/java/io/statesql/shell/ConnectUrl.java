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
package io.statesql.shell;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Where the shell connects: the one place that knows how mounts are spelled for the driver.
 *
 * @param url a JDBC URL
 * @param driver class to load first, or empty to let JDBC find one
 * @param properties what the driver is given beside the URL; never shown
 */
public record ConnectUrl(String url, Optional<String> driver, Properties properties) {
  private static final String STATESQL = "jdbc:statesql:";
  private static final String REMOTE = "jdbc:avatica:remote:";

  /** The embedded engine on some snapshots, the first of which becomes the current catalog. */
  static ConnectUrl mounting(List<Mount> mounts, Map<SnapshotOption, String> options) {
    Properties properties = new Properties();
    properties.setProperty("snapshot", list(mounts.stream().map(Mount::toString).toList()));
    // A cell holds text, so arrays, maps and rows are asked for as such.
    properties.setProperty("composites", "json");
    options.forEach((option, value) -> properties.setProperty(option.property(), value));
    return new ConnectUrl(STATESQL, Optional.empty(), properties);
  }

  /** Whether a URL is one of our driver, whose texts of dates and times are exact. */
  public static boolean isStateSql(String url) {
    return url.startsWith(STATESQL);
  }

  /** Whether it is one of Avatica's remote driver. */
  public boolean isRemote() {
    return url.startsWith(REMOTE);
  }

  /** Whether who answers at a URL takes {@code SHOW} and {@code DESCRIBE}. */
  public static boolean listsNames(String url) {
    return isStateSql(url) || url.startsWith(REMOTE);
  }

  /** The value of a list property. */
  static String list(List<String> values) {
    return values.stream().map(ConnectUrl::listed).collect(joining(","));
  }

  /** A value of a list property: lists are separated by commas. */
  private static String listed(String value) {
    boolean plain =
        value.indexOf(',') < 0 && !value.startsWith("\"") && value.equals(value.strip());
    return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
  }
}
