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

import io.statesql.StateSqlException;
import io.statesql.edit.ChangeContext;
import io.statesql.edit.EditedSnapshot;
import io.statesql.edit.SnapshotChanges;
import io.statesql.plan.DroppableSchema;
import java.util.Collection;
import java.util.List;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.lookup.Lookup;

/** The tables of one operator. */
final class OperatorSchema extends AbstractSchema implements DroppableSchema {
  private final MountedOperator operator;
  private final Lookup<Table> tables;

  OperatorSchema(MountedOperator operator) {
    this.operator = operator;
    this.tables =
        NameLookup.<Table>of("table", this::names, name -> operator.tables().tables().get(name))
            .withUnlisted(this::missing);
  }

  MountedOperator operator() {
    return operator;
  }

  @Override
  public void drop(ChangeContext statement) {
    EditedSnapshot snapshot = operator.snapshot();
    statement.transaction().begin(snapshot);
    SnapshotChanges changes = snapshot.newChanges();
    changes.operator(operator.operator().id()).drop();
    statement
        .transaction()
        .stage(
            snapshot, changes, statement.statement(), List.of(), statement.scan().cancellation());
  }

  @Override
  public Lookup<Table> tables() {
    return tables;
  }

  @Override
  public boolean isMutable() {
    return false;
  }

  /**
   * The names to list. Of state that cannot be read none: a list of all tables must not fail for
   * one damaged file. {@code sys.states} says what is wrong, and so does any query.
   */
  private Collection<String> names() {
    return operator.tables().tables().keySet();
  }

  /** A name that is not listed: says why, if that can be known. */
  private Table missing(String name) {
    StateSqlException problem = operator.tables().problem(name);
    if (problem != null) {
      throw problem;
    }
    return null;
  }
}
