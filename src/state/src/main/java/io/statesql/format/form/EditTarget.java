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
package io.statesql.format.form;

import io.statesql.Cancellation;
import io.statesql.StateSqlException;
import io.statesql.snapshot.StreamHandle;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The savepoint that edits of keyed state write into, which counts what they write. Safe for use by
 * many threads.
 */
public interface EditTarget {

  /** Begins a stream. */
  NewStream newStream() throws IOException;

  /** Takes a file that an edit has made elsewhere. */
  StreamHandle take(Path file) throws IOException;

  /** Takes over a stream of the base as it is. */
  StreamHandle carry(StreamHandle stream);

  /** Counts bytes that are as they were. */
  void copied(long bytes);

  /** Counts bytes that are encoded anew. */
  void rewritten(long bytes);

  /** Says whether to go on, also while another edit has failed. */
  Cancellation cancellation();

  /** The failure of a write, in a user's words. */
  StateSqlException failure(IOException fault);
}
