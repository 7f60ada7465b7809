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
package io.statesql.format.keygroup;

import io.statesql.format.bytes.KeyGroupExtents;
import io.statesql.format.form.KeyedEdit;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.StateFile;

/** Entries with lengths, as every backend writes savepoints, and RocksDB its full checkpoints. */
public final class CanonicalForm extends KeyGroupForm {
  @Override
  KeyedElements elements(SplitScan scan, StateFile file, KeyGroupExtents extents) {
    return new CanonicalElements(scan, file, extents);
  }

  @Override
  KeyGroupsEdit.GroupEncoder encoder(KeyedEdit edit) {
    return new CanonicalGroupEdit(edit);
  }
}
