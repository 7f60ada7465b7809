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

import io.statesql.shell.ShellRequest;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** sqlline's defaults and output formats, as this shell has them. */
final class StateSqlApplication extends Application {
  /** A table is never cut: what does not fit the window is wrapped by it. */
  static final int UNLIMITED_WIDTH = Integer.MAX_VALUE;

  private final ShellRequest request;

  StateSqlApplication(ShellRequest request) {
    this.request = request;
  }

  @Override
  public String getInfoMessage() {
    return request.banner();
  }

  @Override
  public Collection<String> getConnectionUrlExamples() {
    return List.of("jdbc:statesql:snapshot=<path>");
  }

  /** Without those that have no use here: one drops tables, the other pages a manual of sqlline. */
  @Override
  public Collection<CommandHandler> getCommandHandlers(SqlLine shell) {
    return super.getCommandHandlers(shell).stream()
        .filter(command -> !command.getName().equals("dropall"))
        .filter(command -> !command.getName().equals("manual"))
        .map(
            command -> command.getName().equals("help") ? new HelpCommand(shell, command) : command)
        .toList();
  }

  @Override
  public SqlLineOpts getOpts(SqlLine shell) {
    SqlLineOpts opts = new SqlLineOpts(shell);
    opts.set(BuiltInProperty.PROMPT, "statesql> ");
    opts.set(BuiltInProperty.CONNECT_INTERACTION_MODE, "notAskCredentials");
    // Any other level makes sqlline warn that the engine has no transaction isolation.
    opts.set(BuiltInProperty.ISOLATION, "TRANSACTION_NONE");
    opts.set(BuiltInProperty.MAX_WIDTH, UNLIMITED_WIDTH);
    return opts;
  }

  @Override
  public Map<String, OutputFormat> getOutputFormats(SqlLine shell) {
    Map<String, OutputFormat> formats = new LinkedHashMap<>(super.getOutputFormats(shell));
    formats.put("csv", new DelimitedOutputFormat(shell, true));
    formats.put("tsv", new DelimitedOutputFormat(shell, false));
    formats.put("json", new StrictJsonOutputFormat(shell));
    OutputFormat attributes = new WellFormedXmlOutputFormat(shell, true);
    formats.put("xmlattr", attributes);
    formats.put("xmlattrs", attributes);
    formats.put("xmlelements", new WellFormedXmlOutputFormat(shell, false));
    return formats;
  }
}
