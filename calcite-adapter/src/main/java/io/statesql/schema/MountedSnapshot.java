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

import io.statesql.edit.EditedSnapshot;
import io.statesql.format.model.StatefulFunctions;
import io.statesql.snapshot.OperatorId;
import io.statesql.snapshot.OperatorState;
import io.statesql.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A snapshot under the name of its catalog, and the operators in it under the names of their
 * schemas. Safe for use by many threads.
 */
final class MountedSnapshot {
  private final String name;
  private final EditedSnapshot edited;
  private final Map<String, MountedOperator> operators;

  /**
   * @param uids names for operators that the snapshot knows by their hash only
   */
  MountedSnapshot(String name, EditedSnapshot edited, List<String> uids) {
    this.name = name;
    this.edited = edited;
    this.operators = name(edited, uids);
  }

  private static Map<String, MountedOperator> name(EditedSnapshot edited, List<String> uids) {
    Map<OperatorId, String> known = new HashMap<>();
    StatefulFunctions.UIDS.forEach(uid -> known.put(OperatorId.ofUid(uid), uid));
    uids.forEach(uid -> known.put(OperatorId.ofUid(uid), uid));
    Map<String, MountedOperator> operators = new LinkedHashMap<>();
    List<OperatorState> clashing = new ArrayList<>();
    for (OperatorState operator : edited.base().metadata().operators()) {
      String uid = operator.uid() != null ? operator.uid() : known.get(operator.id());
      String schema = uid == null || uid.equals(SysSchema.NAME) ? operator.id().hex() : uid;
      MountedOperator mounted = new MountedOperator(schema, uid, operator, edited);
      if (operators.putIfAbsent(schema, mounted) != null) {
        clashing.add(operator);
      }
    }
    for (OperatorState operator : clashing) {
      String hex = operator.id().hex();
      operators.put(hex, new MountedOperator(hex, operator.uid(), operator, edited));
    }
    return operators;
  }

  /** The snapshot as the only one of its mount. */
  List<ListedSnapshot> list() {
    Snapshot snapshot = edited.base();
    return List.of(ListedSnapshot.opened(name, snapshot, true, snapshot.isEdited()));
  }

  EditedSnapshot edited() {
    return edited;
  }

  Snapshot snapshot() {
    return edited.base();
  }

  /**
   * The operators by the names of their schemas, in the order of the snapshot; without those that
   * the transaction dropped.
   */
  Map<String, MountedOperator> operators() {
    Map<String, MountedOperator> present = new LinkedHashMap<>(operators);
    present.values().removeIf(MountedOperator::isDropped);
    return present;
  }

  /** The operator of a uid or id that is not the name of a schema. */
  Optional<MountedOperator> findUnlisted(String uidOrId) {
    return snapshot()
        .metadata()
        .findOperator(uidOrId)
        .flatMap(
            found ->
                operators().values().stream()
                    .filter(mounted -> mounted.operator().equals(found))
                    .findFirst());
  }
}
