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
import io.statesql.StateSqlException;
import io.statesql.snapshot.PathMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.model.ModelHandler;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.SchemaFactory;
import org.apache.calcite.schema.SchemaPlus;

/**
 * Opens a snapshot for a Calcite model file, so that any program that uses {@code jdbc:calcite:}
 * can query it, read-only:
 *
 * <pre>{@code
 * {
 *   "version": "1.0",
 *   "defaultSchema": "orders",
 *   "schemas": [{
 *     "name": "orders",
 *     "type": "custom",
 *     "factory": "io.statesql.schema.StateSqlSchemaFactory",
 *     "operand": {"snapshot": "/path/of/snapshot", "uids": ["my-uid"]}
 *   }]
 * }
 * }</pre>
 *
 * <p>Operands: {@code snapshot}, a path or URI as text, required; {@code uids}, a list of texts,
 * names for operators that the snapshot knows by their hash only; {@code pathMap}, a list of texts
 * {@code FROM=TO}, where the files of a relocated snapshot are now; {@code isolate}, true where
 * RocksDB files are not trusted and native code shall read them in a process of its own. Of a root
 * folder the schema is the newest snapshot. Calcite's own driver looks up listed names alone, so
 * such an operator is found by its uid only if it is named here. The types of columns and the rules
 * of names are those of Calcite's driver, not of {@code jdbc:statesql:}.
 */
public final class StateSqlSchemaFactory implements SchemaFactory {
  private static final String SNAPSHOT = "snapshot";
  private static final String UIDS = "uids";
  private static final String PATH_MAP = "pathMap";
  private static final String ISOLATE = "isolate";
  private static final List<String> OPERANDS = List.of(SNAPSHOT, UIDS, PATH_MAP, ISOLATE);

  /** Made by Calcite. */
  public StateSqlSchemaFactory() {}

  @Override
  public Schema create(SchemaPlus parentSchema, String name, Map<String, Object> operand) {
    Set<String> unknown = new TreeSet<>(operand.keySet());
    unknown.removeAll(OPERANDS);
    for (ModelHandler.ExtraOperand calcite : ModelHandler.ExtraOperand.values()) {
      unknown.remove(calcite.camelName);
    }
    if (!unknown.isEmpty()) {
      throw invalid(
          "The model's operand \""
              + unknown.iterator().next()
              + "\" is not known; known are \""
              + String.join("\", \"", OPERANDS)
              + "\"");
    }
    if (!(operand.get(SNAPSHOT) instanceof String path)) {
      throw invalid("The model's operand \"" + SNAPSHOT + "\" must be the path of a snapshot");
    }
    List<String> uids = texts(operand, UIDS);
    PathMap pathMap = PathMap.parse(texts(operand, PATH_MAP));
    if (!(operand.getOrDefault(ISOLATE, false) instanceof Boolean isolate)) {
      throw invalid("The model's operand \"" + ISOLATE + "\" must be true or false");
    }
    return SnapshotCatalogs.mount(
            Optional.of(name), path, MountOptions.reading(uids, pathMap, isolate))
        .main();
  }

  private static List<String> texts(Map<String, Object> operand, String name) {
    Object value = operand.getOrDefault(name, List.of());
    if (!(value instanceof List<?> list) || !list.stream().allMatch(String.class::isInstance)) {
      throw invalid("The model's operand \"" + name + "\" must be a list of texts");
    }
    return list.stream().map(String.class::cast).toList();
  }

  private static StateSqlException invalid(String reason) {
    return new StateSqlException(ErrorCode.INVALID_ARGUMENT, reason + ".");
  }
}
