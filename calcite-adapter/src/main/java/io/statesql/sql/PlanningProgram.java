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
package io.statesql.sql;

import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMetadataProvider;
import org.apache.calcite.tools.Program;
import org.apache.calcite.tools.Programs;

/**
 * The steps from a converted statement to its plan: Calcite's, with {@link Decorrelation} and
 * {@link NullJoins}.
 */
public final class PlanningProgram {
  private PlanningProgram() {}

  /** The steps, in order. */
  public static Program create() {
    RelMetadataProvider metadata = DefaultRelMetadataProvider.INSTANCE;
    return Programs.sequence(
        Programs.subQuery(metadata),
        (planner, query, traits, materializations, lattices) -> Decorrelation.of(query),
        (planner, query, traits, materializations, lattices) -> query.accept(new NullJoins()),
        Programs.trim(),
        (planner, query, traits, materializations, lattices) -> {
          planner.setRoot(query);
          planner.setRoot(
              query.getTraitSet().equals(traits) ? query : planner.changeTraits(query, traits));
          return planner.chooseDelegate().findBestExp();
        },
        Programs.calc(metadata));
  }
}
