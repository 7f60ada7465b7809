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

import io.statesql.ErrorCode;
import io.statesql.NearestNames;
import io.statesql.StateSqlException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.calcite.schema.lookup.LikePattern;
import org.apache.calcite.schema.lookup.Lookup;
import org.apache.calcite.schema.lookup.Named;

/**
 * The name rules for catalogs, schemas and tables: an exact match always wins, listed or not;
 * another spelling by case is accepted when exactly one listed name matches it; several are an
 * error that lists them. As thread safe as its functions.
 */
public final class NameLookup<T> implements Lookup<T> {
  private final String kind;
  private final Supplier<? extends Collection<String>> names;
  private final Function<String, T> listed;
  private final Function<String, T> unlisted;

  private NameLookup(
      String kind,
      Supplier<? extends Collection<String>> names,
      Function<String, T> listed,
      Function<String, T> unlisted) {
    this.kind = kind;
    this.names = names;
    this.listed = listed;
    this.unlisted = unlisted;
  }

  /**
   * A lookup of listed names.
   *
   * @param kind what is looked up, for messages: "table", "schema", "catalog"
   * @param names the listed names
   * @param listed gives the entity of a listed name, never null; called only for the entity that is
   *     wanted
   */
  public static <T> NameLookup<T> of(
      String kind, Supplier<? extends Collection<String>> names, Function<String, T> listed) {
    return new NameLookup<>(kind, names, listed, name -> null);
  }

  /**
   * This lookup, which also finds names that it does not list.
   *
   * @param unlisted gives the entity of an exact name, or null
   */
  public NameLookup<T> withUnlisted(Function<String, T> unlisted) {
    return new NameLookup<>(kind, names, listed, unlisted);
  }

  @Override
  public T get(String name) {
    return names.get().contains(name) ? listed.apply(name) : unlisted.apply(name);
  }

  @Override
  public Named<T> getIgnoreCase(String name) {
    T exact = get(name);
    if (exact != null) {
      return new Named<>(name, exact);
    }
    List<String> candidates = names.get().stream().filter(name::equalsIgnoreCase).toList();
    return switch (candidates.size()) {
      case 0 -> null;
      case 1 -> new Named<>(candidates.get(0), listed.apply(candidates.get(0)));
      default ->
          throw new StateSqlException(
              ErrorCode.INVALID_STATEMENT,
              "The %s name %s fits %s; write one of them exactly, in double quotes."
                  .formatted(
                      kind,
                      NearestNames.quote(name),
                      candidates.stream()
                          .map(NearestNames::quote)
                          .sorted()
                          .collect(Collectors.joining(" and "))));
    };
  }

  @Override
  public Set<String> getNames(LikePattern pattern) {
    var matcher = pattern.matcher();
    return names.get().stream()
        .filter(matcher::apply)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
