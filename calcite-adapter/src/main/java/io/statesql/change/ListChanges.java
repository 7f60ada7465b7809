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
package io.statesql.change;

import io.statesql.edit.ChangeContext;
import io.statesql.format.model.ColumnSource.Derived;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.EntryChange;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.StoredElement;
import io.statesql.plan.ChangeKind;
import io.statesql.snapshot.Bytes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Changes of the table of a LIST state: the lists that a statement touches are put as a whole. */
final class ListChanges extends StateChanges {
  private final String state;
  private final List<ChangedColumn> columns;
  private final List<ChangedColumn> keyColumns;
  private final Optional<ChangedColumn> index;
  private final KeyedTarget target;
  private final MissingTimers missingTimers;
  private final ListEdits edits;

  /**
   * @param columns that the statement assigns
   * @param keyColumns those of them that tell rows apart
   */
  ListChanges(
      ChangedOperator operator,
      ChangeKind kind,
      ChangeContext statement,
      String state,
      List<ChangedColumn> columns,
      List<ChangedColumn> keyColumns) {
    super(operator, kind, statement);
    this.state = state;
    this.columns = columns;
    this.keyColumns = keyColumns;
    this.index =
        columns.stream().filter(column -> column.source() == Derived.LIST_INDEX).findFirst();
    this.target = target(state, columns);
    this.missingTimers = new MissingTimers(operator);
    this.edits = new ListEdits(operator.snapshot().newChanges(), operator.operator().id(), kind);
  }

  @Override
  void change(Object[] row) {
    switch (kind()) {
      case INSERT, UPSERT -> insert(row);
      case UPDATE -> update((StoredElement) row[0], row);
      case DELETE -> {
        StoredElement stored = (StoredElement) row[0];
        edits.remove(EntryAddress.of(stored), stored.listIndex());
      }
    }
  }

  private void insert(Object[] row) {
    if (target.hasMergingWindows()) {
      throw new RefusedValueException(
          null,
          "its window would have to be among the merging windows of its key, which Flink keeps"
              + " itself");
    }
    int keyGroup = target.keyGroup(row);
    Encoders encoders = target.encodersAt(keyGroup);
    refuseNull(encoders, row);
    EntryAddress address = encoders.newAddress(keyGroup, row, 0);
    Integer at = index.map(column -> (Integer) column.valueIn(row)).orElse(null);
    Bytes element = encoders.newValue(row, statement().time());
    if (at == null) {
      edits.append(address, element);
    } else {
      edits.add(address, at, element);
    }
    if (!encoders.state().codecs().isUnwindowed()) {
      missingTimers.add(address);
    }
  }

  private void update(StoredElement stored, Object[] row) {
    Encoders encoders = target.encoders(stored.state());
    if (encoders.value().isAssigned()) {
      refuseNull(encoders, row);
    }
    edits.replace(
        EntryAddress.of(stored),
        stored.listIndex(),
        encoders.replacedValue(stored.value(), row, statement().time()));
  }

  private static void refuseNull(Encoders encoders, Object[] row) {
    if (encoders.value().isWhole() && encoders.value().isNull(row)) {
      throw new RefusedValueException(
          "list_value", "a list of Flink has no NULL elements; DELETE removes one");
    }
  }

  @Override
  void finish() {
    ListsOfKeyGroup lists = new ListsOfKeyGroup();
    Elements.forEach(operator(), Set.of(state), edits.keys(), statement().scan(), lists::add);
    lists.end();
    missingTimers.warning(statement()).ifPresent(this::warn);
  }

  /**
   * Applies the edits of one key group after the other to what is stored, of which one list is in
   * memory at a time. Elements come in lists, and lists by key group.
   */
  private final class ListsOfKeyGroup {
    private final BitSet left = (BitSet) edits.keyGroups().clone();
    private Map<EntryAddress, ListEdit> ofKeyGroup = Map.of();
    private int keyGroup = -1;
    private EntryAddress list;
    private final List<Bytes> stored = new ArrayList<>();

    void add(KeyedElement element) {
      EntryAddress address = EntryAddress.of(element);
      if (!address.equals(list)) {
        endList();
        if (address.keyGroup() != keyGroup) {
          endKeyGroup();
          begin(address.keyGroup());
        }
        list = address;
      }
      if (ofKeyGroup.containsKey(list)) {
        stored.add(Bytes.rest(element.value()));
      }
    }

    private void begin(int next) {
      keyGroup = next;
      left.clear(next);
      ofKeyGroup = edits.in(next);
    }

    private void endList() {
      ListEdit edit = list == null ? null : ofKeyGroup.remove(list);
      if (edit != null) {
        put(list, edit);
      }
      list = null;
    }

    /** Lists of which nothing is stored are new ones. */
    private void endKeyGroup() {
      ofKeyGroup.forEach(this::put);
    }

    private void put(EntryAddress address, ListEdit edit) {
      changes().change(state, address, asChange(edit.apply(stored)));
      stored.clear();
    }

    void end() {
      endList();
      endKeyGroup();
      left.stream()
          .forEach(
              next -> {
                begin(next);
                endKeyGroup();
              });
    }
  }

  private static EntryChange asChange(List<Bytes> elements) {
    return elements.isEmpty() ? EntryChange.REMOVE : new EntryChange.PutList(elements);
  }

  @Override
  public void close() {
    try {
      super.close();
    } finally {
      edits.close();
    }
  }

  @Override
  String describe(Object[] row) {
    return kind().isOfExisting()
        ? RowText.of((StoredElement) row[0])
        : RowText.of(keyColumns.isEmpty() ? columns : keyColumns, row);
  }
}
