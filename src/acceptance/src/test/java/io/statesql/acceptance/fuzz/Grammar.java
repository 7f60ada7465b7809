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

import java.util.List;

/** The generators of one trial, which need each other, its dice, and its aliases. */
final class Grammar {
  final Dice dice;
  final Expressions expressions;
  final Predicates predicates;
  final Sources sources;
  final Aggregates aggregates;
  final Windows windows;
  final Queries queries;

  private final List<Table> tables;
  private int aliases;

  Grammar(Dice dice, List<Table> tables) {
    this.dice = dice;
    this.tables = tables;
    this.expressions = new Expressions(this);
    this.predicates = new Predicates(this);
    this.sources = new Sources(this);
    this.aggregates = new Aggregates(this);
    this.windows = new Windows(this);
    this.queries = new Queries(this);
  }

  /** One whose alias no other source of the statement has. */
  String alias() {
    return "t" + aliases++;
  }

  /** Mostly a small one. */
  Table table() {
    Table table = dice.of(tables);
    return table.rows() > 1000 && dice.chance(80) ? table() : table;
  }
}
