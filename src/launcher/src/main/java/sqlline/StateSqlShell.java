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

import io.statesql.FaultText;
import io.statesql.ReadCounters;
import io.statesql.edit.CommitWatch;
import io.statesql.edit.Transaction;
import io.statesql.shell.ConnectUrl;
import io.statesql.shell.ErrorText;
import io.statesql.shell.FamiliarCommand;
import io.statesql.shell.ProgressLine;
import io.statesql.shell.RemoteHttpClient;
import io.statesql.shell.ResultOutput;
import io.statesql.shell.ResultOutput.WriteFailedException;
import io.statesql.shell.Script;
import io.statesql.shell.ScriptStatement;
import io.statesql.shell.ShellRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.regex.Pattern;
import org.jline.reader.History;
import org.jline.reader.LineReader;
import org.jline.reader.Parser;
import org.jline.reader.impl.DefaultParser;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.Terminal.SignalHandler;
import org.jspecify.annotations.Nullable;

/**
 * sqlline with our statements: split by {@link Script}, stopped at the first failure, their values
 * read by {@link CellReader}, their errors told by {@link ErrorText}. Commands, completion, history
 * and line editing are sqlline's.
 *
 * <p>One instance serves one start of the shell, on one thread.
 */
public final class StateSqlShell extends SqlLine {
  /** What a shell reports for a program that SIGINT ended. */
  private static final int INTERRUPTED = 130;

  /** Commands that may write a savepoint. */
  private static final Pattern COMMITTING =
      Pattern.compile("!(commit|autocommit)\\b.*", Pattern.CASE_INSENSITIVE);

  /** Commands that close connections. */
  private static final Pattern LEAVING =
      Pattern.compile("!(q|quit|exit|close|closeall)\\b.*", Pattern.CASE_INSENSITIVE);

  /** Set by the launcher when messages go to a terminal. */
  private static final String SHOWS_PROGRESS = "statesql.progress";

  private final ShellRequest request;
  private final ResultOutput results;
  private final InputStream standardInput;

  /** How often {@link #error(String)} was called: some commands fail without telling otherwise. */
  private int errors;

  /** A connection gives each of its warnings again and again. */
  private final Set<SQLWarning> toldWarnings = Collections.newSetFromMap(new WeakHashMap<>());

  /** Of the statement or commit that runs now, or null; the thread of signals reads it. */
  private volatile @Nullable DispatchCallback running;

  /** Of a command that commits, likewise. */
  private volatile @Nullable CommitWatch committing;

  /**
   * @param standardInput read only for a script named {@code -}
   * @param results drained at the end of each statement
   */
  public StateSqlShell(
      ShellRequest request,
      InputStream standardInput,
      ResultOutput results,
      OutputStream messages) {
    this.request = request;
    this.standardInput = standardInput;
    this.results = results;
    setOutputStream(results);
    setErrorStream(messages);
    setAppConfig(new StateSqlApplication(request));
  }

  /**
   * Does what was requested and closes its connections.
   *
   * @return whether the connection and every statement succeeded
   * @throws WriteFailedException if nobody takes the results
   */
  public boolean run() throws IOException {
    if (request.interactive()) {
      boolean keepsHistory = makeSettingsFolder();
      return begin(new String[0], null, keepsHistory) == Status.OK;
    }
    try {
      if (!open()) {
        return false;
      }
      boolean success = runStatements();
      return (success || getOpts().getForce()) && runScript() && success;
    } finally {
      results.drain();
      tellUncommitted();
      while (getDatabaseConnection() != null) {
        getDatabaseConnection().close();
        getDatabaseConnections().remove();
      }
    }
  }

  /** Called by {@link #begin}, after the user's saved settings were loaded. */
  @Override
  Status initArgs(String[] args, DispatchCallback callback) {
    if (!open()) {
      return Status.OTHER;
    }
    if (getDatabaseConnection() != null) {
      setCompletions();
    }
    return Status.OK;
  }

  @Override
  public LineReader getConsoleReader(InputStream input, History history) throws IOException {
    LineReader reader = super.getConsoleReader(input, history);
    // sqlline gives every signal to the handler that cancels the statement, a resized window too.
    Terminal terminal = reader.getTerminal();
    for (Signal signal : Signal.values()) {
      terminal.handle(signal, signal == Signal.INT ? unused -> interrupt() : SignalHandler.SIG_DFL);
    }
    // sqlline would wait for a semicolon behind them.
    LineReaderImpl lines = (LineReaderImpl) reader;
    Parser statements = lines.getParser();
    Parser words = new DefaultParser().escapeChars(null).quoteChars(null);
    lines.setParser(
        (line, cursor, context) ->
            (FamiliarCommand.isWholeLine(line) ? words : statements).parse(line, cursor, context));
    if (!Files.isWritable(request.settingsFolder())) {
      reader.setVariable(LineReader.HISTORY_FILE, null);
    }
    getOpts().set(BuiltInProperty.MAX_WIDTH, StateSqlApplication.UNLIMITED_WIDTH);
    return reader;
  }

  /** Cancels the running statement or commit; one that goes on all the same ends with the shell. */
  void interrupt() {
    DispatchCallback callback = running;
    if (callback == null) {
      return;
    }
    if (callback.isCanceled()) {
      Runtime.getRuntime().halt(INTERRUPTED);
    }
    CommitWatch commit = committing;
    info(
        "Canceling the %s; once more leaves the shell"
            .formatted(commit == null ? "statement" : "commit"));
    try {
      callback.forceKillSqlQuery();
      if (commit != null) {
        commit.cancel();
      }
    } catch (SQLException e) {
      handleException(e);
    }
  }

  private boolean makeSettingsFolder() {
    try {
      Files.createDirectories(request.settingsFolder());
    } catch (IOException e) {
      return false;
    }
    return Files.isWritable(request.settingsFolder());
  }

  private boolean open() {
    int before = errors;
    try {
      request.settings().forEach((name, value) -> getOpts().set(name, value, true));
    } catch (RuntimeException e) {
      return error(e);
    }
    if (errors > before) {
      return false;
    }
    if (request.connection().isPresent() && !connect(request.connection().get())) {
      return false;
    }
    for (String command : request.setup()) {
      if (!runCommand(command, new DispatchCallback())) {
        return false;
      }
    }
    return true;
  }

  private boolean connect(ConnectUrl to) {
    String driver = to.driver().orElse("");
    if (!driver.isEmpty()) {
      try {
        Class.forName(driver);
      } catch (ClassNotFoundException e) {
        return error("Error: No driver class " + driver + " on the class path");
      }
    }
    try {
      DriverManager.getDriver(to.url());
    } catch (SQLException e) {
      return error("Error: No JDBC driver here takes the URL " + to.url());
    }
    Properties properties = new Properties();
    properties.putAll(to.properties());
    if (to.isRemote()) {
      properties.putIfAbsent(RemoteHttpClient.PROPERTY, RemoteHttpClient.class.getName());
    }
    DatabaseConnection connection = new NamedConnection(this, driver, to.url(), properties);
    getDatabaseConnections().setConnection(connection);
    try {
      return connection.connect();
    } catch (SQLException | RuntimeException e) {
      getDatabaseConnections().removeConnection(connection);
      return error(e);
    }
  }

  private boolean runStatements() {
    getOpts().set(BuiltInProperty.HEADER_INTERVAL, -1);
    boolean success = true;
    for (String text : request.statements()) {
      if (isExit() || (!success && !getOpts().getForce())) {
        break;
      }
      success &= runAll(text, "", new DispatchCallback());
    }
    return success;
  }

  private boolean runScript() {
    if (request.script().isEmpty() || isExit()) {
      return true;
    }
    String name = request.script().get();
    String text;
    try {
      text = readScript(name);
    } catch (CharacterCodingException e) {
      return error("Error: Script " + name + " is not UTF-8 text");
    } catch (NoSuchFileException | InvalidPathException e) {
      return error("Error: No such script: " + name);
    } catch (IOException e) {
      return error("Error: Cannot read script " + name + ": " + FaultText.of(e));
    }
    return runAll(text, name.equals("-") ? "stdin" : name, new DispatchCallback());
  }

  private String readScript(String name) throws IOException {
    byte[] bytes =
        name.equals("-")
            ? standardInput.readAllBytes()
            : Files.readAllBytes(Path.of(Commands.expand(name)));
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  /** A line of an interactive session, or of a script that {@code !run} reads. */
  @Override
  void dispatch(String line, DispatchCallback callback) {
    boolean sqllineWants = line == null || getBatch() != null || getOpts().getConfirm();
    if (sqllineWants) {
      if (line == null) {
        tellUncommitted();
        super.dispatch(null, callback);
      } else {
        runCommand(line, callback);
      }
      results.drain();
      return;
    }
    runAll(line, "", callback);
    // sqlline has recorded its own commands.
    if (getScriptOutputFile() != null && !line.strip().startsWith(COMMAND_PREFIX)) {
      getScriptOutputFile().addLine(line);
    }
  }

  /**
   * Runs the statements of a text up to the first that fails, unless {@code --force} says
   * otherwise.
   *
   * @param source name of the file that errors tell, or empty
   * @return whether all succeeded
   */
  private boolean runAll(String text, String source, DispatchCallback callback) {
    List<ScriptStatement> statements;
    try {
      statements = Script.split(text);
    } catch (Script.UnterminatedException e) {
      callback.setToFailure();
      return error(place(source, e.line()) + ErrorText.of(e));
    }
    boolean succeeded = true;
    for (ScriptStatement statement : statements) {
      if (isExit()) {
        break;
      }
      boolean done = runOne(statement, source, callback);
      succeeded &= done;
      if (!done && !getOpts().getForce()) {
        break;
      }
    }
    if (succeeded) {
      callback.setToSuccess();
    }
    return succeeded;
  }

  private boolean runOne(ScriptStatement statement, String source, DispatchCallback callback) {
    String place = place(source, statement.line());
    String meant;
    try {
      meant = FamiliarCommand.equalOf(statement.text(), listsNames());
    } catch (FamiliarCommand.UnknownCommandException e) {
      callback.setToFailure();
      return error(place + ErrorText.of(e));
    }
    ScriptStatement done = new ScriptStatement(meant, statement.line());
    return done.isCommand()
        ? runCommand(meant, callback)
        : runSql(sql(done, source), place, callback);
  }

  private boolean listsNames() {
    return getDatabaseConnection() != null
        && ConnectUrl.listsNames(getDatabaseConnection().getUrl());
  }

  /**
   * In a script, the statement on the line where it stands, which the parser's messages then tell.
   */
  private static String sql(ScriptStatement statement, String source) {
    return source.isEmpty()
        ? statement.text()
        : "\n".repeat(statement.line() - 1) + statement.text();
  }

  private static String place(String source, int line) {
    return source.isEmpty() ? "" : source + ":" + line + ": ";
  }

  /** Says of each connection what it changed and did not commit, before that is lost. */
  private void tellUncommitted() {
    for (DatabaseConnection connection : getDatabaseConnections()) {
      try {
        if (connection.connection != null
            && connection.connection.isWrapperFor(Transaction.class)) {
          connection
              .connection
              .unwrap(Transaction.class)
              .uncommitted()
              .ifPresent(text -> super.error("Warning: " + text));
        }
      } catch (SQLException e) {
        handleException(e);
      }
    }
  }

  private boolean runCommand(String command, DispatchCallback callback) {
    int before = errors;
    if (LEAVING.matcher(command.strip()).matches()) {
      tellUncommitted();
    }
    if (COMMITTING.matcher(command.strip()).matches()) {
      dispatchCommit(command, callback);
    } else {
      super.dispatch(command, callback);
    }
    results.drain();
    if (errors > before) {
      callback.setToFailure();
    }
    if (getDatabaseConnection() != null) {
      showWarnings();
    }
    return !callback.isFailure();
  }

  /** A commit may take long, and prints nothing before its end. */
  private void dispatchCommit(String command, DispatchCallback callback) {
    ProgressLine progress = beginProgress();
    committing = commitWatch();
    if (committing != null) {
      // An interrupt finds no statement, and no mark of an earlier one.
      callback.trackSqlQuery(null);
      running = callback;
    }
    try {
      super.dispatch(command, callback);
    } finally {
      running = null;
      committing = null;
      if (progress != null) {
        progress.close();
      }
    }
  }

  /** Null where there is no connection, or where it cannot tell. */
  private @Nullable CommitWatch commitWatch() {
    if (getDatabaseConnection() == null
        || !ConnectUrl.isStateSql(getDatabaseConnection().getUrl())) {
      return null;
    }
    try {
      return getDatabaseConnection().getConnection().unwrap(Transaction.class).watch();
    } catch (SQLException e) {
      handleException(e);
      return null;
    }
  }

  private boolean runSql(String sql, String place, DispatchCallback callback) {
    if (!assertConnection()) {
      callback.setToFailure();
      return false;
    }
    boolean succeeded = false;
    boolean canceled = false;
    try (Statement statement = createStatement()) {
      callback.trackSqlQuery(statement);
      running = callback;
      runTimed(statement, sql, callback);
      succeeded = true;
    } catch (WriteFailedException e) {
      throw e;
    } catch (SQLException | RuntimeException | Error e) {
      // An Error too: generated code that fails in its static part is one, so is a plan too deep.
      canceled = callback.isCanceled();
      // What was printed before the failure belongs before its message.
      results.drain();
      if (canceled) {
        info(loc("command-canceled"));
      } else {
        report(place + ErrorText.of(e, sql), e);
      }
    }
    running = null;
    // Otherwise an interrupt at the next prompt would cancel a statement that is closed.
    callback.trackSqlQuery(null);
    if (succeeded) {
      callback.setToSuccess();
    } else if (canceled) {
      callback.setToCancel();
    } else {
      callback.setToFailure();
    }
    return succeeded;
  }

  private void runTimed(Statement statement, String sql, DispatchCallback callback)
      throws SQLException {
    long start = System.currentTimeMillis();
    String outcome = execute(statement, sql, callback);
    results.drain();
    showWarnings(statement.getWarnings());
    showWarnings();
    long millis = System.currentTimeMillis() - start;
    info(getOpts().getShowElapsedTime() ? outcome + " " + locElapsedTime(millis) : outcome);
  }

  private String execute(Statement statement, String sql, DispatchCallback callback)
      throws SQLException {
    if (!executeWatched(statement, sql)) {
      return loc("rows-affected", Math.max(statement.getUpdateCount(), 0));
    }
    try (ResultSet rows = statement.getResultSet()) {
      return loc("rows-selected", print(rows, callback));
    }
  }

  /** Executes a statement; the line of progress is gone before its first row is printed. */
  private boolean executeWatched(Statement statement, String sql) throws SQLException {
    ProgressLine progress = beginProgress();
    try {
      return statement.execute(sql);
    } finally {
      if (progress != null) {
        progress.close();
      }
    }
  }

  /** Null where nobody would see it, or where the connection cannot tell. */
  private @Nullable ProgressLine beginProgress() {
    if (!Boolean.getBoolean(SHOWS_PROGRESS) || getOpts().getSilent()) {
      return null;
    }
    CommitWatch watch = commitWatch();
    if (watch == null) {
      return null;
    }
    try {
      Connection connection = getDatabaseConnection().getConnection();
      return ProgressLine.begin(getErrorStream(), () -> newestCounters(connection), watch::present);
    } catch (SQLException e) {
      handleException(e);
      return null;
    }
  }

  private static ReadCounters newestCounters(Connection connection) {
    try {
      return connection.unwrap(ReadCounters.class);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Prints a result, also that of a command such as {@code !tables}. */
  @Override
  int print(ResultSet rows, DispatchCallback callback) throws SQLException {
    String name = getOpts().getOutputFormat();
    if (CellReader.isVisual(name) && PlanText.isPlan(rows)) {
      return PlanText.print(this, rows);
    }
    OutputFormat format = getOutputFormats().get(name);
    boolean exactTimes = ConnectUrl.isStateSql(getDatabaseConnection().getUrl());
    return format.print(new ResultRows(this, new CellReader(rows, getOpts(), name, exactTimes)));
  }

  /** Warnings are told once, where errors are, but nothing has failed. */
  @Override
  void showWarnings(SQLWarning first) {
    if (!getOpts().getShowWarnings()) {
      return;
    }
    for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
      if (toldWarnings.add(warning)) {
        super.error(warning.getMessage());
      }
    }
  }

  @Override
  public boolean error(String message) {
    errors++;
    return super.error(message);
  }

  @Override
  public void handleException(Throwable failure) {
    Throwable told = failure;
    while (told instanceof InvocationTargetException && told.getCause() != null) {
      told = told.getCause();
    }
    if (told instanceof WriteFailedException) {
      throw (WriteFailedException) told;
    }
    report(ErrorText.of(told), told);
  }

  private void report(String message, Throwable failure) {
    error(message);
    if (getOpts().getVerbose()) {
      failure.printStackTrace(getErrorStream());
    }
  }
}
