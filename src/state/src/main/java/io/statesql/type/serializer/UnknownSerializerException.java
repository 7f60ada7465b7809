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
package io.statesql.type.serializer;

import io.statesql.type.registry.StoredSerializers;

/**
 * A serializer snapshot of a class that StateSQL does not know, so that the length of its payload
 * is not known either. See {@link StoredSerializers} for how a reader may go on.
 */
public final class UnknownSerializerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String snapshotClassName;
  private final int snapshotVersion;
  private final long payloadOffset;

  UnknownSerializerException(String snapshotClassName, int snapshotVersion, long payloadOffset) {
    super("the serializer snapshot " + snapshotClassName + " is of a class that is not known here");
    this.snapshotClassName = snapshotClassName;
    this.snapshotVersion = snapshotVersion;
    this.payloadOffset = payloadOffset;
  }

  public String snapshotClassName() {
    return snapshotClassName;
  }

  public int snapshotVersion() {
    return snapshotVersion;
  }

  /** Where the payload begins, in bytes from the start of the input. */
  public long payloadOffset() {
    return payloadOffset;
  }
}
