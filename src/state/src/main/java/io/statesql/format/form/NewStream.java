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

import io.statesql.snapshot.StreamHandle;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/** A stream of state of a new savepoint, in the making. Not thread-safe. */
public interface NewStream extends Closeable {

  /** Takes its bytes. */
  OutputStream out();

  /** Bytes written so far. */
  long position();

  /**
   * Brings the stream to the disk.
   *
   * @param replaced the stream in whose place it comes; if that stood in the metadata, so does
   *     this, unless it is large
   */
  StreamHandle finish(StreamHandle replaced) throws IOException;
}
