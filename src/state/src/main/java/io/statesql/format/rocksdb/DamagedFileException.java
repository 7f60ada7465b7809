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
package io.statesql.format.rocksdb;

import io.statesql.type.MalformedValueException;

/** A file of a database that is not as RocksDB writes it. */
public final class DamagedFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;

  DamagedFileException(String file, MalformedValueException fault) {
    super(fault.getMessage(), fault);
    this.file = file;
    this.offset = fault.offset();
  }

  /** The name of the file in the folder of the database. */
  public String file() {
    return file;
  }

  /** Where in the file the fault was seen. */
  public long offset() {
    return offset;
  }
}
