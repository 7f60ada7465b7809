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

import java.util.List;

/**
 * The log on standard error. The server has one; whoever runs anything else looks at its results.
 */
final class ServerLog {
  private static final String PREFIX = "org.slf4j.simpleLogger.";

  /** Levels at which libraries may speak too; below them they show passwords in headers. */
  private static final List<String> QUIET_LEVELS = List.of("off", "error");

  private ServerLog() {}

  /** Sets what the first logger reads, once for the process. */
  static void configure(String[] args) {
    String level = level(args);
    System.setProperty(PREFIX + "log.io.statesql", level);
    System.setProperty(PREFIX + "defaultLogLevel", QUIET_LEVELS.contains(level) ? level : "warn");
    System.setProperty(PREFIX + "showDateTime", "true");
    System.setProperty(PREFIX + "showThreadName", "false");
    System.setProperty(PREFIX + "dateTimeFormat", "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'");
  }

  private static String level(String[] args) {
    if (!ServerCommand.isMeant(args)) {
      return "off";
    }
    try {
      return ServerCommand.parse(args).logLevel();
    } catch (UsageException toldByTheCommand) {
      return "off";
    }
  }
}
