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
package io.statesql.type.objectstream;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a Java object stream holds, as {@link ObjectStreamReader} reads it. */
public final class StreamContent {
  private StreamContent() {}

  /**
   * An object.
   *
   * @param fields by name, those of its superclasses included; primitive ones as their Java objects
   * @param written the objects that {@code writeObject} or {@code writeExternal} methods wrote
   *     besides; their primitive data is left out
   */
  public record JavaObject(
      String className, Map<String, @Nullable Object> fields, List<@Nullable Object> written) {}

  /** A constant of an enum. */
  public record JavaEnum(String className, String constant) {}

  /**
   * An array; an element is null, a Java object of a primitive, or as {@link
   * ObjectStreamReader#read} yields it.
   */
  public record JavaArray(String className, List<@Nullable Object> elements) {}

  /** A class, of which the stream holds no more than the name. */
  public record JavaClass(String name) {}

  /** A part of the grammar that this reader does not know. */
  public static final class UnknownContentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownContentException(String what, long offset) {
      super(what + " at offset " + offset);
    }
  }
}
