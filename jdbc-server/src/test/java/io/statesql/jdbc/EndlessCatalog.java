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
package io.statesql.jdbc;

import io.statesql.Cancellation;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * A catalog {@code toy} with a table {@code operator.endless} of column {@code n}, whose scans end
 * only when they are stopped, and one {@code operator.wide} of a million texts.
 */
public final class EndlessCatalog implements CatalogSource {
  private static final String TEXT = "0123456789".repeat(100);

  private final AtomicInteger rowsRead = new AtomicInteger();
  private volatile Runnable whenEnded = () -> {};
  private final ToySource endless =
      new ToySource(
          columns -> columns.add("n", SqlTypeName.INTEGER),
          number -> new Object[] {number},
          this::countRow);

  /** What an endless scan does, when it notices that it shall end, before it ends. */
  public void whenEnded(Runnable action) {
    this.whenEnded = action;
  }

  /** How many rows all scans have given. */
  public int rowsRead() {
    return rowsRead.get();
  }

  /** How many scans of the endless table are open. */
  public int openScans() {
    return endless.openScans();
  }

  @Override
  public List<MountedCatalog> open(ConnectionOptions options) {
    ToySource wide =
        new ToySource(
            columns -> columns.add("t", SqlTypeName.VARCHAR),
            number -> number < 1_000_000 ? new Object[] {TEXT + number} : null,
            cancellation -> rowsRead.incrementAndGet());
    ToySource slow =
        new ToySource(
            columns -> ToySource.afterMoreThanASecond(columns).add("n", SqlTypeName.INTEGER),
            number -> new Object[] {number},
            this::countRow);
    ToySchema operator =
        new ToySchema().table("endless", endless).table("wide", wide).table("slow", slow);
    return List.of(
        new MountedCatalog(
            "toy", new ToySchema().schema("operator", operator).schema("sys", new ToySchema())));
  }

  private void countRow(Cancellation cancellation) {
    rowsRead.incrementAndGet();
    try {
      cancellation.check();
    } catch (RuntimeException ended) {
      whenEnded.run();
      throw ended;
    }
  }
}
