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
package io.statesql.jdbc;

import io.statesql.Cancellation;
import io.statesql.plan.CancellationPoint;
import io.statesql.plan.KeyTests;
import io.statesql.plan.OwnOperator;
import io.statesql.plan.StateFold;
import io.statesql.sql.AcceptedStatements;
import io.statesql.sql.AggregateRules;
import io.statesql.sql.DistinctAggregates;
import io.statesql.sql.PlanningProgram;
import io.statesql.sql.SqlText;
import io.statesql.sql.StateSqlCatalogReader;
import io.statesql.sql.StateSqlConformance;
import io.statesql.sql.StateSqlConverter;
import io.statesql.sql.StateSqlRexBuilder;
import io.statesql.sql.StateSqlTypeCoercion;
import io.statesql.sql.StateSqlValidator;
import io.statesql.sql.function.IntegerSum;
import io.statesql.sql.function.LongLists;
import io.statesql.sql.function.MomentFunctions;
import io.statesql.sql.parser.StateSqlParserImpl;
import io.statesql.value.CompositeColumns;
import io.statesql.value.ParameterValues;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCostFactory;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.CalcitePrepareImpl;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.rules.DateRangeRules;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.tools.Program;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Turns SQL text into an executable plan by our name rules, type system and list of accepted
 * statements. One per statement.
 */
public final class StateSqlPrepare extends CalcitePrepareImpl {
  private final long mostAttempts;

  /** Of the statement that is being prepared. */
  private LongLists lists = new LongLists();

  /** The positions of its parameters that are numbers of rows. */
  private Set<Integer> rowCounts = new HashSet<>();

  /** Whether it only tells its plan, for which parameters need no values. */
  private boolean isExplanation;

  /** Prepares with the usual patience. */
  public StateSqlPrepare() {
    this(PlanningLimit.MOST_ATTEMPTS);
  }

  /**
   * @param mostAttempts as {@link PlanningLimit} counts them
   */
  StateSqlPrepare(long mostAttempts) {
    this.mostAttempts = mostAttempts;
  }

  @Override
  public <T> CalciteSignature<T> prepareSql(
      Context context, Query<T> query, Type elementType, long maxRowCount) {
    if (!(context instanceof StatementContext statement)) {
      return prepare(context, query, elementType, maxRowCount);
    }
    long start = System.nanoTime();
    CalciteSignature<T> signature = prepare(context, query, elementType, maxRowCount);
    CalciteSignature<T> current =
        new CurrentSignature<>(
            signature,
            statement.transaction(),
            () -> prepareAgain(statement.renewed(), query, elementType, maxRowCount));
    return new ReportedSignature<>(
        CompositeColumns.convert(current, statement.composites()), System.nanoTime() - start);
  }

  private <T> CalciteSignature<T> prepare(
      Context context, Query<T> query, Type elementType, long maxRowCount) {
    if (context instanceof StatementContext statement && query.sql != null) {
      CalciteSignature<T> direct = prepareDirect(statement, query.sql);
      if (direct != null) {
        return direct;
      }
    }
    lists = new LongLists();
    rowCounts = new HashSet<>();
    isExplanation = false;
    CalciteSignature<T> signature = super.prepareSql(context, query, elementType, maxRowCount);
    if (!lists.parameters().isEmpty()) {
      signature.internalParameters.putAll(lists.parameters());
    }
    return isExplanation ? signature : ParameterValues.check(signature, rowCounts);
  }

  /** As Calcite does around its own call. */
  private <T> CalciteSignature<T> prepareAgain(
      Context context, Query<T> query, Type elementType, long maxRowCount) {
    Dummy.push(context);
    try {
      return prepare(context, query, elementType, maxRowCount);
    } finally {
      Dummy.pop(context);
    }
  }

  /** The statement, if it is one of these; others are left to Calcite, with their errors. */
  private <T> @Nullable CalciteSignature<T> prepareDirect(StatementContext context, String sql) {
    if (!DirectStatements.canBeginWith(SqlText.firstWord(sql))) {
      return null;
    }
    CalciteConnectionConfig config = context.config();
    SqlParser.Config parserConfig =
        parserConfig()
            .withQuotedCasing(config.quotedCasing())
            .withUnquotedCasing(config.unquotedCasing())
            .withQuoting(config.quoting())
            .withConformance(config.conformance())
            .withCaseSensitive(config.caseSensitive())
            .withParserFactory(StateSqlParserImpl.FACTORY);
    try {
      SqlNode statement = createParser(sql, parserConfig).parseStmt();
      return new DirectStatements(context, name -> table(context, name)).prepare(sql, statement);
    } catch (SqlParseException told) {
      return null;
    }
  }

  /** The table of a name, found as FROM finds it. */
  private SqlValidatorTable table(StatementContext context, SqlIdentifier name) {
    JavaTypeFactory typeFactory = context.getTypeFactory();
    StateSqlCatalogReader reader =
        StateSqlCatalogReader.of(
            context.getRootSchema(), context.getDefaultSchemaPath(), typeFactory, context.config());
    SqlParserPos pos = name.getParserPosition();
    SqlSelect all =
        new SqlSelect(
            pos,
            null,
            SqlNodeList.of(SqlIdentifier.star(pos)),
            name,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);
    SqlValidator validator = validator(context, reader, UnaryOperator.identity(), new HashSet<>());
    validator.validate(all);
    return validator.getNamespace(all.getFrom()).getTable();
  }

  @Override
  protected SqlParser createParser(String sql, SqlParser.Config parserConfig) {
    return super.createParser(
        SqlText.forParser(sql),
        parserConfig.withConformance(new StateSqlConformance(parserConfig.conformance())));
  }

  // Calcite would run DDL here, while it prepares.
  @Override
  public void executeDdl(Context context, SqlNode node) {
    AcceptedStatements.check(node);
  }

  /**
   * Leaves out two of Calcite's rules. One turns EXTRACT(YEAR ...) into a range of dates: it knows
   * no year beyond 9999, and fails on it. The other joins by sorting both sides: no state is sorted
   * by what SQL compares, and arrays, maps and rows have equality but no order.
   */
  @Override
  protected RelOptPlanner createPlanner(
      CalcitePrepare.Context prepareContext,
      org.apache.calcite.plan.@Nullable Context externalContext,
      @Nullable RelOptCostFactory costFactory) {
    PlanningLimit limit = new PlanningLimit(planning(prepareContext), mostAttempts);
    RelOptPlanner planner =
        super.createPlanner(
            prepareContext,
            Contexts.of(
                externalContext == null ? Contexts.of(prepareContext.config()) : externalContext,
                limit.flag()),
            costFactory);
    planner.addListener(limit);
    planner.removeRule(DateRangeRules.FILTER_INSTANCE);
    planner.removeRule(EnumerableRules.ENUMERABLE_TABLE_MODIFICATION_RULE);
    planner.removeRule(EnumerableRules.ENUMERABLE_MERGE_JOIN_RULE);
    DistinctAggregates.correct(planner);
    AggregateRules.correct(planner);
    return planner;
  }

  /** Ends the preparation of a statement. */
  private static Cancellation planning(CalcitePrepare.Context context) {
    return context instanceof StatementContext statement
        ? statement.planning()
        : Cancellation.NEVER;
  }

  @Override
  protected CalcitePreparingStmt getPreparingStmt(
      Context context,
      Type elementType,
      CalciteCatalogReader catalogReader,
      RelOptPlanner planner) {
    JavaTypeFactory typeFactory = context.getTypeFactory();
    StateSqlCatalogReader reader =
        StateSqlCatalogReader.of(
            context.getRootSchema(), context.getDefaultSchemaPath(), typeFactory, context.config());
    EnumerableRel.Prefer prefer =
        elementType == Object[].class ? EnumerableRel.Prefer.ARRAY : EnumerableRel.Prefer.CUSTOM;
    RelOptCluster cluster =
        createCluster(planner, new StateSqlRexBuilder(typeFactory, lists, planning(context)));
    return new PreparingStatement(this, context, reader, typeFactory, prefer, cluster, rowCounts);
  }

  @Override
  protected SqlRexConvertletTable createConvertletTable() {
    return MomentFunctions.CONVERTLETS;
  }

  private static SqlValidator validator(
      Context context,
      StateSqlCatalogReader names,
      UnaryOperator<SqlValidator.Config> configTransform,
      Set<Integer> rowCounts) {
    CalciteConnectionConfig config = context.config();
    SqlOperatorTable operators =
        SqlOperatorTables.chain(
            config.fun(SqlOperatorTable.class, SqlStdOperatorTable.instance()), names);
    return new StateSqlValidator(
        operators,
        names,
        context.getTypeFactory(),
        configTransform.apply(
            SqlValidator.Config.DEFAULT
                .withLenientOperatorLookup(config.lenientOperatorLookup())
                .withConformance(new StateSqlConformance(config.conformance()))
                .withDefaultNullCollation(config.defaultNullCollation())
                .withTypeCoercionFactory(StateSqlTypeCoercion::new)
                .withIdentifierExpansion(true)),
        rowCounts,
        planning(context));
  }

  /** One statement on its way from text to plan. */
  private static final class PreparingStatement extends CalcitePreparingStmt {
    private final StateSqlPrepare preparer;
    private final StateSqlCatalogReader reader;
    private final RelOptCluster relCluster;
    private final Set<Integer> rowCounts;

    PreparingStatement(
        StateSqlPrepare prepare,
        Context context,
        StateSqlCatalogReader reader,
        JavaTypeFactory typeFactory,
        EnumerableRel.Prefer prefer,
        RelOptCluster cluster,
        Set<Integer> rowCounts) {
      super(
          prepare,
          context,
          reader,
          typeFactory,
          context.getRootSchema(),
          prefer,
          cluster,
          EnumerableConvention.INSTANCE,
          prepare.createConvertletTable());
      this.preparer = prepare;
      this.reader = reader;
      this.relCluster = cluster;
      this.rowCounts = rowCounts;
    }

    /** None: to look for lattices Calcite would open every snapshot of a root. */
    @Override
    protected List<CalciteSchema.LatticeEntry> getLattices() {
      return List.of();
    }

    @SuppressWarnings("rawtypes") // Calcite's signature
    @Override
    public PreparedResult prepareSql(
        SqlNode sqlQuery,
        Class runtimeContextClass,
        SqlValidator validator,
        boolean needsValidation) {
      AcceptedStatements.check(sqlQuery);
      preparer.isExplanation = sqlQuery.getKind() == SqlKind.EXPLAIN;
      // Parsing is over; validation, conversion and the search for a plan look for themselves.
      planning(context).check();
      PreparedResult prepared =
          super.prepareSql(sqlQuery, runtimeContextClass, validator, needsValidation);
      planning(context).check();
      return prepared;
    }

    @Override
    protected Program getProgram() {
      return PlanningProgram.create();
    }

    @Override
    protected RelRoot optimize(
        RelRoot root,
        List<Materialization> materializations,
        List<CalciteSchema.LatticeEntry> lattices) {
      planning(context).check();
      RelRoot best = super.optimize(root, materializations, lattices);
      return best.withRel(StateFold.addTo(IntegerSum.addTo(KeyTests.addTo(best.rel))));
    }

    @Override
    protected PreparedResult implement(RelRoot root) {
      // Nothing can end the compiler, whose work is bounded by the size of the plan.
      planning(context).check();
      return super.implement(root.withRel(CancellationPoint.addTo(OwnOperator.addTo(root.rel))));
    }

    @Override
    protected SqlValidator createSqlValidator(
        CatalogReader catalogReader, UnaryOperator<SqlValidator.Config> configTransform) {
      // Calcite asks with its own reader for a statement, and with ours, moved to another path, for
      // a view.
      StateSqlCatalogReader names =
          catalogReader instanceof StateSqlCatalogReader ours ? ours : reader;
      return validator(context, names, configTransform, rowCounts);
    }

    @Override
    protected SqlToRelConverter getSqlToRelConverter(
        SqlValidator validator, CatalogReader catalogReader, SqlToRelConverter.Config config) {
      CatalogReader names = catalogReader instanceof StateSqlCatalogReader ? catalogReader : reader;
      // An IN list stays a condition, which a scan can find keys by, however long it is.
      SqlToRelConverter.Config longLists = config.withInSubQueryThreshold(Integer.MAX_VALUE);
      return new StateSqlConverter(
          this, validator, names, relCluster, convertletTable, longLists, planning(context));
    }
  }
}
