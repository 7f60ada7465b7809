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
package io.statesql.snapshot;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import java.util.List;
import java.util.Optional;

/**
 * What {@code _metadata} says. Immutable.
 *
 * @param location the path or URI of the file that was read
 * @param version of the file's format, {@value MetadataReader#MIN_VERSION} to {@value
 *     MetadataReader#MAX_VERSION}
 * @param masterStates in file order
 * @param operators in file order
 */
public record SnapshotMetadata(
    String location,
    int version,
    long checkpointId,
    List<MasterState> masterStates,
    List<OperatorState> operators,
    SnapshotProperties properties) {

  public SnapshotMetadata {
    masterStates = List.copyOf(masterStates);
    operators = List.copyOf(operators);
  }

  /** How many bytes the state of all operators takes. */
  public long stateSize() {
    return StateSizes.sum(operators, OperatorState::stateSize);
  }

  /**
   * How many of these bytes are records that were under way between operators, which an unaligned
   * checkpoint keeps.
   */
  public long inFlightSize() {
    return StateSizes.sum(operators, OperatorState::inFlightSize);
  }

  /** The operator with an id, if there is one. */
  public Optional<OperatorState> findOperator(OperatorId id) {
    return operators.stream().filter(operator -> operator.id().equals(id)).findFirst();
  }

  /**
   * The operator that a text names: by the uid that the snapshot holds, else by the hash of the
   * text as a uid (which finds it also where the snapshot holds only hashes), else by its id in hex
   * of any case.
   */
  public Optional<OperatorState> findOperator(String uidOrId) {
    return operators.stream()
        .filter(operator -> uidOrId.equals(operator.uid()))
        .findFirst()
        .or(() -> findOperator(OperatorId.ofUid(uidOrId)))
        .or(() -> OperatorId.ofHex(uidOrId).flatMap(this::findOperator));
  }

  /**
   * As {@link #findOperator(String)}.
   *
   * @throws StateSqlException when there is none; its message names those that come nearest
   */
  public OperatorState operator(String uidOrId) {
    return findOperator(uidOrId)
        .orElseThrow(
            () ->
                new StateSqlException(
                    ErrorCode.UNKNOWN_SCHEMA,
                    "There is no operator with the uid or id \""
                        + uidOrId
                        + "\" in "
                        + location
                        + "; "
                        + NearestOperators.describe(uidOrId, operators)));
  }
}
