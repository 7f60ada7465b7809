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
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A piece of SQL, which is the same for both engines but for the forms that {@link Dialect} tells
 * apart. Pieces are told by their identity: two statements that share one have the same text there,
 * and a {@link Reducer} replaces it in both.
 */
final class Sql {
  private final Kind kind;
  private final String form;
  private final String duckDbForm;
  private final List<Sql> parts;
  private final Object value;

  private Sql(Kind kind, String form, String duckDbForm, List<Sql> parts, Object value) {
    this.kind = kind;
    this.form = form;
    this.duckDbForm = duckDbForm;
    this.parts = parts;
    this.value = value;
  }

  /** A piece without parts, whose text is taken as it is. */
  static Sql text(Kind kind, String text) {
    return new Sql(kind, text, text, List.of(), null);
  }

  /** A literal in a place where a parameter may stand for it. */
  static Sql operand(Sql literal, Object value) {
    return new Sql(literal.kind, literal.form, literal.duckDbForm, List.of(), value);
  }

  /**
   * @param form of {@link String#format}, with the texts of the parts as arguments
   */
  static Sql of(Kind kind, String form, Sql... parts) {
    return new Sql(kind, form, form, List.of(parts), null);
  }

  /** A piece that the engines write in two ways. */
  static Sql of(Kind kind, Dialect dialect, Sql... parts) {
    return new Sql(kind, dialect.stateSql(), dialect.duckDb(), List.of(parts), null);
  }

  static Sql of(Kind kind, String form, String duckDbForm, Sql... parts) {
    return new Sql(kind, form, duckDbForm, List.of(parts), null);
  }

  static Sql list(String separator, List<Sql> parts) {
    String[] forms = new String[parts.size()];
    Arrays.fill(forms, "%s");
    String form = String.join(separator, forms);
    return new Sql(Kind.PART, form, form, List.copyOf(parts), null);
  }

  static Sql nothing() {
    return text(Kind.OPTIONAL, "");
  }

  Kind kind() {
    return kind;
  }

  List<Sql> parts() {
    return parts;
  }

  String stateSql() {
    return parts.isEmpty() ? form : String.format(form, texts(Sql::stateSql));
  }

  String duckDb() {
    return parts.isEmpty() ? duckDbForm : String.format(duckDbForm, texts(Sql::duckDb));
  }

  /**
   * With a question mark for each operand, whose values are added to a list. What stands twice, as
   * in SELECT and in GROUP BY, stays: two question marks are not the same expression.
   */
  String prepared(List<Object> values) {
    List<Sql> pieces = new ArrayList<>();
    each(pieces::add);
    return prepared(values, pieces);
  }

  private String prepared(List<Object> values, List<Sql> pieces) {
    if (value != null && pieces.stream().filter(this::is).count() == 1) {
      values.add(value);
      return "?";
    }
    return parts.isEmpty()
        ? form
        : String.format(form, texts(part -> part.prepared(values, pieces)));
  }

  private Object[] texts(Function<Sql, String> render) {
    List<Object> texts = new ArrayList<>();
    for (Sql part : parts) {
      texts.add(render.apply(part));
    }
    return texts.toArray();
  }

  /** The same with another piece in the place of one. */
  Sql with(Sql old, Sql replacement) {
    if (is(old)) {
      return replacement;
    }
    List<Sql> replaced = new ArrayList<>();
    boolean changed = false;
    for (Sql part : parts) {
      Sql other = part.with(old, replacement);
      changed |= !other.is(part);
      replaced.add(other);
    }
    return changed ? new Sql(kind, form, duckDbForm, List.copyOf(replaced), value) : this;
  }

  /** This piece, then those in it. */
  void each(Consumer<Sql> visitor) {
    visitor.accept(this);
    parts.forEach(part -> part.each(visitor));
  }

  boolean contains(Sql other) {
    return is(other) || parts.stream().anyMatch(part -> part.contains(other));
  }

  @SuppressWarnings("ReferenceEquality") // Pieces are told by their identity.
  private boolean is(Sql other) {
    return this == other;
  }

  @Override
  public String toString() {
    return stateSql();
  }
}
