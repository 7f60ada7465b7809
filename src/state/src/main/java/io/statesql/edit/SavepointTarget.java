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
package io.statesql.edit;

import io.statesql.Cancellation;
import io.statesql.StateSqlException;
import io.statesql.format.form.EditTarget;
import io.statesql.format.form.NewStream;
import io.statesql.snapshot.StreamHandle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder of a savepoint, as edits of keyed state see it. */
record SavepointTarget(
    SavepointFolder folder, HandleCarrier carrier, EditTally tally, Cancellation cancellation)
    implements EditTarget {
  @Override
  public NewStream newStream() throws IOException {
    return new EditedFile(folder, tally);
  }

  @Override
  public StreamHandle take(Path source) throws IOException {
    Path file = folder.newFile();
    try (InputStream content = Files.newInputStream(source)) {
      folder.write(file, content);
    }
    long size = Files.size(file);
    tally.rewritten(size);
    tally.rewrittenFiles(1);
    return new StreamHandle.RelativeFile(file.getFileName().toString(), size);
  }

  @Override
  public StreamHandle carry(StreamHandle stream) {
    return carrier.carry(stream);
  }

  @Override
  public void copied(long bytes) {
    tally.copied(bytes);
  }

  @Override
  public void rewritten(long bytes) {
    tally.rewritten(bytes);
  }

  @Override
  public StateSqlException failure(IOException fault) {
    return folder.failure(fault);
  }
}
