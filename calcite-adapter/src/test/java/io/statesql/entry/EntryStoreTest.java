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
package io.statesql.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.statesql.forms.EntryForms;
import io.statesql.snapshot.Snapshot;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An entry that is found by the text of its key is what a scan of its state sees. */
class EntryStoreTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void everyEntryIsFoundInEachForm(EntryForms form) throws Exception {
    Snapshot snapshot = Snapshot.open(form.write(folder, 20).toString());

    assertThat(FoundEntries.findAll(snapshot))
        .isEqualTo(EntryForms.names().size() * FoundEntries.MOST_KEYS);
  }

  @Test
  void everyEntryOfTheSampleIsFound() {
    Path orders = Path.of("..", "sql-examples", "snapshots", "orders");

    assertThat(FoundEntries.findAll(Snapshot.open(orders.toString()))).isGreaterThan(100);
  }
}
