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

import com.google.common.io.CountingOutputStream;
import io.statesql.format.form.NewStream;
import io.statesql.snapshot.Bytes;
import io.statesql.snapshot.StreamHandle;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** A state file of a new savepoint, in the making. Not thread-safe. */
final class EditedFile implements NewStream {
  /** State that stood in the metadata stays there up to this size. */
  private static final long MOST_INLINED = 1 << 20;

  private final SavepointFolder folder;
  private final EditTally tally;
  private final Path path;
  private final CountingOutputStream out;

  EditedFile(SavepointFolder folder, EditTally tally) throws IOException {
    this.folder = folder;
    this.tally = tally;
    this.path = folder.newFile();
    this.out = new CountingOutputStream(new BufferedOutputStream(folder.open(path), 1 << 16));
  }

  @Override
  public OutputStream out() {
    return out;
  }

  @Override
  public long position() {
    return out.getCount();
  }

  @Override
  public StreamHandle finish(StreamHandle replaced) throws IOException {
    out.close();
    if (replaced instanceof StreamHandle.ByteStream && position() <= MOST_INLINED) {
      Bytes content = Bytes.copyOf(Files.readAllBytes(path));
      folder.discard(path);
      return new StreamHandle.ByteStream(UUID.randomUUID().toString(), content);
    }
    SavepointFolder.force(path);
    tally.rewrittenFiles(1);
    return new StreamHandle.RelativeFile(path.getFileName().toString(), position());
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
