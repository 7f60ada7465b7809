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
package io.statesql.schema;

import static io.statesql.type.SqlType.Scalar.BIGINT;
import static io.statesql.type.SqlType.Scalar.INTEGER;
import static io.statesql.type.SqlType.Scalar.TIMESTAMP;
import static io.statesql.type.SqlType.Scalar.VARCHAR;

import io.statesql.ErrorCode;
import io.statesql.ScanContext;
import io.statesql.StateSqlException;
import io.statesql.coordinator.CoordinatorEndpoint;
import io.statesql.coordinator.CoordinatorException;
import io.statesql.coordinator.InstanceFilter;
import io.statesql.coordinator.SnapshotUpload;
import io.statesql.coordinator.StoreId;
import io.statesql.coordinator.StoreInstance;
import io.statesql.coordinator.client.CoordinatorRefusedException;
import io.statesql.format.model.RowCursor;
import io.statesql.plan.ColumnCondition;
import io.statesql.plan.ColumnValues;
import io.statesql.plan.FilterableSource;
import io.statesql.plan.RowSource;
import io.statesql.plan.StateRules;
import io.statesql.type.SqlType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;

/**
 * {@code sys.store_locations}: the instances of state stores that a coordinator knows, each with
 * the host and executor on which it is active. Conditions on run, operator and partition go into
 * the coordinator's query.
 */
final class StoreLocationsTable extends AbstractTable
    implements TranslatableTable, FilterableSource, DescribedTable {
  private static final int ALL_ROWS = 1_000;
  private static final int SOME_ROWS = 10;

  /** A column: its name and type, what it holds, and its value for an instance. */
  private record Column(
      String name, SqlType type, String remarks, Function<StoreInstance, Object> value) {}

  private final CoordinatorEndpoint coordinator;
  private final List<Column> columns;
  private final InstanceFilter filter;

  StoreLocationsTable(CoordinatorEndpoint coordinator, MountedSnapshot mount) {
    this(coordinator, columns(uids(mount)), InstanceFilter.ALL);
  }

  private StoreLocationsTable(
      CoordinatorEndpoint coordinator, List<Column> columns, InstanceFilter filter) {
    this.coordinator = coordinator;
    this.columns = columns;
    this.filter = filter;
  }

  private static Map<String, String> uids(MountedSnapshot mount) {
    return mount.operators().values().stream()
        .filter(operator -> operator.uid() != null)
        .collect(
            Collectors.toUnmodifiableMap(
                operator -> operator.operator().id().hex(),
                MountedOperator::uid,
                (uid, same) -> uid));
  }

  private static List<Column> columns(Map<String, String> uids) {
    return List.of(
        new Column("engine", VARCHAR, "Kind of engine that runs the store", StoreInstance::engine),
        new Column(
            "checkpoint_location",
            VARCHAR,
            "Where the engine keeps its checkpoints",
            of(StoreId::checkpointLocation)),
        new Column("run_id", VARCHAR, "Run of the job", instance -> instance.id().runId()),
        new Column("operator_id", VARCHAR, "The operator's id", of(StoreId::operatorId)),
        new Column(
            "operator_uid",
            VARCHAR,
            "Its uid, if the snapshot has such an operator",
            of(store -> uids.get(store.operatorId()))),
        new Column(
            "vertex_id",
            VARCHAR,
            "Vertex of the job graph",
            instance -> instance.vertexId().orElse(null)),
        new Column("partition_id", INTEGER, "Partition or subtask", of(StoreId::partitionId)),
        new Column("store_name", VARCHAR, "Name of the store", of(StoreId::storeName)),
        new Column(
            "host",
            VARCHAR,
            "Host on which the instance is active",
            instance -> instance.location().host()),
        new Column(
            "executor_id",
            VARCHAR,
            "Process on that host",
            instance -> instance.location().executorId()),
        new Column(
            "first_report_time",
            TIMESTAMP,
            "When the instance was first reported, UTC",
            StoreInstance::firstReportMillis),
        new Column(
            "last_report_time",
            TIMESTAMP,
            "When it was last reported, UTC",
            StoreInstance::lastReportMillis),
        new Column(
            "last_snapshot_version",
            BIGINT,
            "Version of the last snapshot that it uploaded",
            ofUpload(SnapshotUpload::version)),
        new Column(
            "last_snapshot_time",
            TIMESTAMP,
            "When that was uploaded, UTC",
            ofUpload(SnapshotUpload::timeMillis)),
        new Column(
            "lag",
            BIGINT,
            "How many versions that snapshot is behind",
            instance -> instance.lag().isPresent() ? instance.lag().getAsLong() : null));
  }

  private static Function<StoreInstance, Object> of(Function<StoreId, Object> value) {
    return instance -> value.apply(instance.id().store());
  }

  private static Function<StoreInstance, Object> ofUpload(Function<SnapshotUpload, Object> value) {
    return instance -> instance.lastUpload().map(value).orElse(null);
  }

  private int position(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException(name);
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory typeFactory) {
    RelDataTypeFactory.Builder builder = typeFactory.builder();
    columns.forEach(
        column -> builder.add(column.name(), SqlTypes.relType(column.type(), typeFactory)));
    return builder.build();
  }

  @Override
  public String remarks() {
    return "Instances of state stores that the coordinator knows, and where they are active";
  }

  @Override
  public List<ColumnDescription> columnDescriptions() {
    return columns.stream()
        .map(
            column ->
                new ColumnDescription(
                    column.name(), SqlTypes.text(column.type()), column.remarks(), false))
        .toList();
  }

  @Override
  public Schema.TableType getJdbcTableType() {
    return Schema.TableType.SYSTEM_TABLE;
  }

  @Override
  public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
    return StateRules.scan(context.getCluster(), table);
  }

  @Override
  public int cheapestField() {
    return position("partition_id");
  }

  @Override
  public Optional<RowSource> filter(ColumnCondition condition) {
    InstanceFilter narrowed =
        new InstanceFilter(
            values(condition, "run_id", String.class),
            values(condition, "operator_id", String.class),
            values(condition, "partition_id", BigDecimal.class).map(StoreLocationsTable::integers));
    return filter.equals(InstanceFilter.ALL) && !narrowed.equals(InstanceFilter.ALL)
        ? Optional.of(new StoreLocationsTable(coordinator, columns, narrowed))
        : Optional.empty();
  }

  /** The values that a condition leaves to a column; empty if any, or if they are not known yet. */
  private <T> Optional<Set<T>> values(ColumnCondition condition, String column, Class<T> type) {
    return ColumnValues.of(condition, List.of(position(column)))
        .map(rows -> rows.stream().map(row -> row.get(0)).collect(Collectors.toSet()))
        .filter(values -> values.stream().allMatch(type::isInstance))
        .map(values -> values.stream().map(type::cast).collect(Collectors.toSet()));
  }

  private static Set<Integer> integers(Set<BigDecimal> numbers) {
    return numbers.stream()
        .filter(
            number ->
                number.stripTrailingZeros().scale() <= 0
                    && number.abs().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0)
        .map(BigDecimal::intValueExact)
        .collect(Collectors.toSet());
  }

  @Override
  public Map<String, Object> access() {
    return filter.equals(InstanceFilter.ALL) ? Map.of() : Map.of("condition", condition());
  }

  /** A guess: the planner shall prefer a query with a condition to one without. */
  @Override
  public OptionalDouble rowCount() {
    return OptionalDouble.of(filter.equals(InstanceFilter.ALL) ? ALL_ROWS : SOME_ROWS);
  }

  private String condition() {
    List<String> conditions = new ArrayList<>();
    filter.runIds().ifPresent(ids -> conditions.add("run_id IN " + sorted(ids)));
    filter.operatorIds().ifPresent(ids -> conditions.add("operator_id IN " + sorted(ids)));
    filter.partitionIds().ifPresent(ids -> conditions.add("partition_id IN " + sorted(ids)));
    return String.join(" AND ", conditions);
  }

  private static String sorted(Iterable<? extends Comparable<?>> values) {
    List<Comparable<?>> sorted = new ArrayList<>();
    values.forEach(sorted::add);
    return sorted.stream()
        .sorted()
        .map(String::valueOf)
        .collect(Collectors.joining(", ", "(", ")"));
  }

  @Override
  public RowCursor open(int[] fields, ScanContext scan) {
    List<Function<StoreInstance, Object>> values = new ArrayList<>();
    for (int field : fields) {
      values.add(columns.get(field).value());
    }
    return new InstanceRows(ask(() -> coordinator.listInstances(filter)).iterator(), values);
  }

  @Override
  public RowCursor openRows(ScanContext scan) {
    return new EqualRows(ask(() -> coordinator.countInstances(filter)));
  }

  private static <T> T ask(Supplier<T> question) {
    try {
      return question.get();
    } catch (CoordinatorRefusedException e) {
      throw new StateSqlException(ErrorCode.CONNECTION_REFUSED, e.getMessage(), e);
    } catch (CoordinatorException e) {
      throw new StateSqlException(ErrorCode.CONNECTION_FAILED, e.getMessage(), e);
    }
  }

  /** A row for each instance. */
  private static final class InstanceRows implements RowCursor {
    private final Iterator<StoreInstance> instances;
    private final List<Function<StoreInstance, Object>> values;
    private Object[] row;

    InstanceRows(Iterator<StoreInstance> instances, List<Function<StoreInstance, Object>> values) {
      this.instances = instances;
      this.values = values;
    }

    @Override
    public boolean next() {
      if (!instances.hasNext()) {
        return false;
      }
      StoreInstance instance = instances.next();
      row = new Object[values.size()];
      for (int i = 0; i < row.length; i++) {
        row[i] = values.get(i).apply(instance);
      }
      return true;
    }

    @Override
    public Object[] row() {
      return row;
    }

    @Override
    public void close() {
      // Nothing is open: the coordinator answers at once.
    }
  }

  /** Rows whose number alone matters. */
  private static final class EqualRows implements RowCursor {
    private long left;

    EqualRows(long count) {
      this.left = count;
    }

    @Override
    public boolean next() {
      return left-- > 0;
    }

    @Override
    public Object[] row() {
      return new Object[1];
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
