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

/**
 * A statement of a script.
 *
 * @param text SQL without its closing semicolon, or a shell command with its leading {@code !}
 * @param line number of the line on which it begins, from 1
 */
public record ScriptStatement(String text, int line) {
  /** Whether this is a command to the shell rather than SQL. */
  public boolean isCommand() {
    return text.startsWith("!");
  }
}
