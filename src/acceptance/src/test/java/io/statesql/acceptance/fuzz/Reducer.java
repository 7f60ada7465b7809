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
package io.statesql.acceptance.fuzz;

import java.util.ArrayList;
import java.util.List;

/** Makes the statements of a finding shorter, as long as they disagree. */
final class Reducer {
  private static final int MAX_TRIALS = 150;

  private final Judge judge;
  private Finding smallest;
  private int trials;

  private Reducer(Judge judge, Finding finding) {
    this.judge = judge;
    this.smallest = finding;
  }

  static Finding reduce(Judge judge, Finding finding) {
    Reducer reducer = new Reducer(judge, finding);
    while (reducer.isReduced()) {
      // Begin again with what is left.
    }
    return reducer.smallest;
  }

  private boolean isReduced() {
    for (Sql piece : sharedPieces(smallest.trial())) {
      for (Sql replacement : replacements(piece)) {
        if (trials++ > MAX_TRIALS) {
          return false;
        }
        Finding finding = judge.judge(smallest.trial().with(piece, replacement));
        if (finding != null && isAlike(finding)) {
          smallest = finding;
          return true;
        }
      }
    }
    return false;
  }

  /** A statement that has become wrong is no smaller case of wrong rows. */
  private boolean isAlike(Finding finding) {
    return kindOf(finding).equals(kindOf(smallest));
  }

  private static String kindOf(Finding finding) {
    String difference = finding.difference();
    return difference.contains("only here") ? "rows" : difference.replaceAll("(?s) .*", "");
  }

  /** Those that all statements have: what is said about them stays true with others. */
  private static List<Sql> sharedPieces(Trial trial) {
    List<Sql> pieces = new ArrayList<>();
    trial
        .runs()
        .get(0)
        .sql()
        .each(
            piece -> {
              if (trial.runs().stream().allMatch(run -> run.sql().contains(piece))) {
                pieces.add(piece);
              }
            });
    return pieces;
  }

  private static List<Sql> replacements(Sql piece) {
    List<Sql> replacements = new ArrayList<>();
    if (piece.kind() == Kind.OPTIONAL && !piece.parts().isEmpty()) {
      replacements.add(Sql.nothing());
    }
    if (Kind.VALUES.contains(piece.kind()) && !piece.parts().isEmpty()) {
      replacements.add(Sql.text(piece.kind(), "CAST(NULL AS " + piece.kind().castType() + ")"));
    }
    piece
        .parts()
        .forEach(
            part ->
                part.each(
                    inner -> {
                      if (inner.kind() == piece.kind()
                          && piece.kind() != Kind.PART
                          && piece.kind() != Kind.OPTIONAL) {
                        replacements.add(inner);
                      }
                    }));
    return replacements;
  }
}
