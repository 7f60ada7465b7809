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
package org.apache.calcite.jdbc;

import com.google.common.collect.ImmutableList;
import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.NearestNames;
import io.statesql.ReadCounters;
import io.statesql.StateSqlException;
import io.statesql.edit.Transaction;
import io.statesql.jdbc.ConnectionOptions;
import io.statesql.jdbc.StateSqlDriver;
import io.statesql.jdbc.StatementContext;
import io.statesql.plan.OpenScans;
import io.statesql.plan.StatementCancellation;
import io.statesql.plan.StatementReport;
import io.statesql.sql.SqlErrors;
import io.statesql.value.Composites;
import java.io.Closeable;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.AvaticaPreparedStatement;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.apache.calcite.avatica.QueryState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection to mounted snapshots. */
final class StateSqlConnection extends CalciteConnectionImpl {
  private static final Logger LOG = LoggerFactory.getLogger(StateSqlConnection.class);

  private final ConnectionOptions options;
  private volatile String catalog;
  private volatile String schema;
  private final Transaction transaction;
  private final List<Closeable> resources;
  private SQLWarning warnings;
  private volatile boolean isClosing;
  private volatile boolean isAborted;

  /** Of the statement that a thread prepares to run it at once. */
  private final ThreadLocal<Cancellation> planned =
      ThreadLocal.withInitial(() -> Cancellation.NEVER);

  private volatile ReadCounters newestCounters = new ReadCounters();

  /** Of the statement that finished last; null before the first. */
  private volatile @Nullable StatementReport lastStatement;

  StateSqlConnection(
      StateSqlDriver driver,
      StateSqlJdbcFactory factory,
      String url,
      Properties info,
      CalciteSchema rootSchema,
      JavaTypeFactory typeFactory,
      ConnectionOptions options,
      String catalog,
      List<Closeable> resources) {
    super(driver, factory, url, info, rootSchema, typeFactory);
    this.options = options;
    this.transaction = new Transaction(this::addWarning, options.dryRun());
    this.catalog = catalog;
    this.resources = List.copyOf(resources);
  }

  /** Nothing: to look for lattices Calcite would open every snapshot of a root. */
  @Override
  void init() {}

  /**
   * Ends the statements first, those that run in other threads too: Avatica forgets them, and with
   * them the files and the native memory that they hold.
   */
  @Override
  public void close() throws SQLException {
    if (isClosed()) {
      return;
    }
    endWhatRuns();
    closeAll();
  }

  /** Tells statements and commits of all threads to end, and waits for none of them. */
  private void endWhatRuns() {
    isClosing = true;
    transaction.watch().close();
    statementMap.values().forEach(this::cancel);
  }

  /** Does not wait for a statement that runs. */
  private void cancel(AvaticaStatement statement) {
    try {
      getCancelFlag(statement.handle).set(true);
    } catch (NoSuchStatementException alreadyClosed) {
      // By another thread, meanwhile: there is nothing to end.
    }
  }

  /** Ends what runs at once; the executor waits for it and closes the connection. */
  @Override
  public void abort(Executor executor) throws SQLException {
    if (executor == null) {
      throw SqlErrors.translate(
          new StateSqlException(ErrorCode.INVALID_ARGUMENT, "An abort needs an executor."));
    }
    if (isClosed()) {
      return;
    }
    isAborted = true;
    endWhatRuns();
    executor.execute(
        () -> {
          try {
            closeAll();
          } catch (SQLException e) {
            LOG.warn("A connection that was aborted could not close everything", e);
          }
        });
  }

  @Override
  public boolean isClosed() throws SQLException {
    return isAborted || super.isClosed();
  }

  private void closeAll() throws SQLException {
    List<AvaticaStatement> statements = List.copyOf(statementMap.values());
    List<Closing> closings = new ArrayList<>();
    statements.forEach(statement -> closings.add(statement::close));
    closings.add(transaction::close);
    closings.add(super::close);
    resources.forEach(resource -> closings.add(() -> close(resource)));
    SQLException failure = null;
    for (Closing closing : closings) {
      try {
        closing.close();
      } catch (SQLException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static void close(Closeable resource) throws SQLException {
    try {
      resource.close();
    } catch (IOException e) {
      throw SqlErrors.translate(new StateSqlException(ErrorCode.IO_ERROR, String.valueOf(e), e));
    }
  }

  /** A step of closing. */
  private interface Closing {
    void close() throws SQLException;
  }

  /** Ends the planning of a statement. */
  Cancellation planning() {
    Cancellation ofStatement = planned.get();
    return () -> {
      ofStatement.check();
      if (isClosing) {
        throw new StateSqlException(ErrorCode.CANCELED, "The connection was closed.");
      }
    };
  }

  Transaction transaction() {
    return transaction;
  }

  Composites composites() {
    return options.composites();
  }

  @Override
  public void commit() throws SQLException {
    translating(super::commit);
  }

  @Override
  public void rollback() throws SQLException {
    translating(super::rollback);
  }

  @Override
  public void setAutoCommit(boolean autoCommit) throws SQLException {
    translating(() -> super.setAutoCommit(autoCommit));
  }

  private static void translating(TransactionCall call) throws SQLException {
    SqlErrors.<Void, SQLException>translating(
        () -> {
          call.run();
          return null;
        });
  }

  /** A call that ends or begins a transaction. */
  private interface TransactionCall {
    void run() throws SQLException;
  }

  /**
   * Also gives the {@link Transaction}, and the {@link ReadCounters} of the statement that began
   * last, to watch it.
   */
  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type == Transaction.class) {
      return type.cast(transaction);
    }
    return type == ReadCounters.class ? type.cast(newestCounters) : super.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return type == Transaction.class || type == ReadCounters.class || super.isWrapperFor(type);
  }

  /** Ends what a statement does; its time limit is counted from when the supplier is asked. */
  Supplier<Cancellation> cancellation(Meta.StatementHandle handle) throws NoSuchStatementException {
    AvaticaStatement statement = statementMap.get(handle.id);
    if (statement == null) {
      throw new NoSuchStatementException(handle);
    }
    AtomicBoolean canceled = getCancelFlag(handle);
    try {
      int limit = statement.getQueryTimeout();
      return () -> StatementCancellation.starting(canceled, limit);
    } catch (SQLException e) {
      throw new StateSqlException(ErrorCode.CANCELED, "The statement is closed.", e);
    }
  }

  /**
   * The flag of a statement that is open. Avatica makes a new one for a statement that another
   * thread has closed, which would then go on for ever.
   */
  @Override
  public AtomicBoolean getCancelFlag(Meta.StatementHandle handle) throws NoSuchStatementException {
    AtomicBoolean canceled = super.getCancelFlag(handle);
    // Closing forgets the statement before its flag.
    if (!statementMap.containsKey(handle.id)) {
      throw new NoSuchStatementException(handle);
    }
    return canceled;
  }

  /** A statement that is open. Avatica opens one that another thread has closed again. */
  @Override
  protected AvaticaStatement lookupStatement(Meta.StatementHandle handle) throws SQLException {
    AvaticaStatement statement = statementMap.get(handle.id);
    if (statement == null) {
      throw SqlErrors.translate(new NoSuchStatementException(handle));
    }
    return statement;
  }

  /**
   * Begins something that a statement does. A cancellation ends what runs at that time, and not
   * what the statement runs later; closing ends both.
   */
  private Cancellation begin(AvaticaStatement statement) throws SQLException {
    try {
      AtomicBoolean canceled = getCancelFlag(statement.handle);
      canceled.set(false);
      // Who closes says so first and cancels then, so that one of the two is seen.
      if (isClosing || statement.isClosed()) {
        canceled.set(true);
      }
      return StatementCancellation.starting(canceled, statement.getQueryTimeout());
    } catch (NoSuchStatementException | SQLException e) {
      throw SqlErrors.translate(
          new StateSqlException(ErrorCode.CANCELED, "The statement is closed.", e));
    }
  }

  /** Makes a statement, whose time limit is at first that of the connection. */
  <S extends AvaticaStatement> S limited(Making<S> making) throws SQLException {
    try {
      S statement = making.make();
      statement.setQueryTimeout(options.statementSeconds());
      return statement;
    } catch (NoSuchStatementException e) {
      throw SqlErrors.translate(e);
    }
  }

  /** Makes a statement. */
  interface Making<S> {
    S make() throws SQLException, NoSuchStatementException;
  }

  synchronized void addWarning(String message) {
    SQLWarning warning = new SQLWarning(message, "01000");
    if (warnings == null) {
      warnings = warning;
    } else {
      warnings.setNextWarning(warning);
    }
  }

  @Override
  public synchronized SQLWarning getWarnings() throws SQLException {
    checkOpen();
    return warnings;
  }

  @Override
  public synchronized void clearWarnings() throws SQLException {
    checkOpen();
    warnings = null;
  }

  @Override
  public String getCatalog() throws SQLException {
    checkOpen();
    return catalog;
  }

  @Override
  public void setCatalog(String catalog) throws SQLException {
    checkOpen();
    try {
      CalciteSchema found = rootSchema.getSubSchema(catalog, false);
      if (found == null) {
        throw unknown(ErrorCode.UNKNOWN_CATALOG, "Unknown catalog ", catalog, rootSchema);
      }
      if (!found.getName().equals(this.catalog)) {
        this.catalog = found.getName();
        this.schema = null;
      }
    } catch (RuntimeException e) {
      throw SqlErrors.translate(e);
    }
  }

  @Override
  public String getSchema() throws SQLException {
    checkOpen();
    return schema;
  }

  @Override
  public void setSchema(String schema) throws SQLException {
    checkOpen();
    if (schema == null || schema.isEmpty()) {
      this.schema = null;
      return;
    }
    try {
      CalciteSchema current = rootSchema.getSubSchema(catalog, true);
      CalciteSchema found = current.getSubSchema(schema, false);
      if (found == null) {
        throw unknown(ErrorCode.UNKNOWN_SCHEMA, "Unknown schema ", schema, current);
      }
      this.schema = found.getName();
    } catch (RuntimeException e) {
      throw SqlErrors.translate(e);
    }
  }

  private static StateSqlException unknown(
      ErrorCode code, String what, String name, CalciteSchema parent) {
    return new StateSqlException(
        code,
        what
            + NearestNames.quote(name)
            + NearestNames.suggestion(name, parent.getSubSchemaMap().keySet()));
  }

  @Override
  public CalcitePrepare.Context createPrepareContext() {
    return new ContextWithCatalog(this);
  }

  @Override
  public DataContext createDataContext(
      Map<String, Object> parameterValues, CalciteSchema rootSchema) {
    StatementReport running = new StatementReport(report -> lastStatement = report);
    newestCounters = running.counters();
    return new StatementDataContext(
        super.createDataContext(parameterValues, rootSchema),
        options.limits(),
        running,
        new OpenScans(),
        lastStatement,
        (int) parameterValues.keySet().stream().filter(name -> name.startsWith("?")).count(),
        transaction);
  }

  @Override
  public CalcitePreparedStatement prepareStatement(
      String sql, int resultSetType, int resultSetConcurrency, int resultSetHoldability)
      throws SQLException {
    Cancellation limit =
        StatementCancellation.starting(new AtomicBoolean(), options.statementSeconds());
    return planning(
        limit,
        () ->
            SqlErrors.<CalcitePreparedStatement, SQLException>translating(
                limit,
                () ->
                    super.prepareStatement(
                        sql, resultSetType, resultSetConcurrency, resultSetHoldability)));
  }

  @Override
  protected ResultSet executeQueryInternal(
      AvaticaStatement statement,
      Meta.Signature signature,
      Meta.Frame firstFrame,
      QueryState state,
      boolean isUpdate)
      throws SQLException {
    Cancellation running = begin(statement);
    return planning(
        running,
        () ->
            orCommitted(
                running,
                () ->
                    super.executeQueryInternal(statement, signature, firstFrame, state, isUpdate)));
  }

  @Override
  protected Meta.ExecuteResult prepareAndExecuteInternal(
      AvaticaStatement statement, String sql, long maxRowCount)
      throws SQLException, NoSuchStatementException {
    Cancellation running = begin(statement);
    return this.<Meta.ExecuteResult, NoSuchStatementException>planning(
        running,
        () ->
            orCommitted(
                running, () -> super.prepareAndExecuteInternal(statement, sql, maxRowCount)));
  }

  /** Does something while which a statement may be planned. */
  private <T, E extends Exception> T planning(
      Cancellation cancellation, SqlErrors.Action<T, E> action) throws SQLException, E {
    planned.set(cancellation);
    try {
      return action.run();
    } finally {
      planned.remove();
    }
  }

  @Override
  protected Meta.ExecuteBatchResult prepareAndUpdateBatch(
      AvaticaStatement statement, List<String> queries)
      throws NoSuchStatementException, SQLException {
    Cancellation running = begin(statement);
    return this.<Meta.ExecuteBatchResult, NoSuchStatementException>planning(
        running,
        () ->
            SqlErrors.<Meta.ExecuteBatchResult, NoSuchStatementException>translating(
                running, () -> super.prepareAndUpdateBatch(statement, queries)));
  }

  @Override
  protected long[] executeBatchUpdateInternal(AvaticaPreparedStatement statement)
      throws SQLException {
    Cancellation running = begin(statement);
    return planning(
        running,
        () ->
            SqlErrors.<long[], SQLException>translating(
                running, () -> super.executeBatchUpdateInternal(statement)));
  }

  /**
   * Runs a statement. Who closes it, or the connection, when its commit has been made, is not told
   * that it failed.
   */
  private <T, E extends Exception> T orCommitted(
      Cancellation running, SqlErrors.Action<T, E> action) throws SQLException, E {
    Optional<Transaction.Commit> before = transaction.lastCommit();
    try {
      return SqlErrors.<T, E>translating(running, action);
    } catch (SQLException e) {
      Optional<Transaction.Commit> after = transaction.lastCommit();
      if (after.equals(before)) {
        throw e;
      }
      StateSqlException committed =
          new StateSqlException(
              ErrorCode.UNKNOWN_STATEMENT,
              "The changes are committed to "
                  + after.orElseThrow().savepoint()
                  + ", but the statement was closed before it could say how many rows they are.");
      // Not as the cause, which would be what the client is told.
      committed.addSuppressed(e);
      throw SqlErrors.translate(committed);
    }
  }

  /** Where unqualified names are looked up. */
  private List<String> defaultPath() {
    return schema == null ? ImmutableList.of(catalog) : ImmutableList.of(catalog, schema);
  }

  /** Where unqualified names are looked up, and how composites are given. */
  private static final class ContextWithCatalog extends ContextImpl implements StatementContext {
    private final StateSqlConnection connection;
    private final List<String> path;

    ContextWithCatalog(StateSqlConnection connection) {
      this(connection, connection.defaultPath());
    }

    private ContextWithCatalog(StateSqlConnection connection, List<String> path) {
      super(connection);
      this.connection = connection;
      this.path = path;
    }

    @Override
    public StatementContext renewed() {
      return new ContextWithCatalog(connection, path);
    }

    @Override
    public List<String> getDefaultSchemaPath() {
      return path;
    }

    @Override
    public Composites composites() {
      return connection.composites();
    }

    @Override
    public Cancellation planning() {
      return connection.planning();
    }

    @Override
    public void use(String catalog, @Nullable String schema) {
      connection.catalog = catalog;
      connection.schema = schema;
    }

    @Override
    public Transaction transaction() {
      return connection.transaction;
    }
  }
}
