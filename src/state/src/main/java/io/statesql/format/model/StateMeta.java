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
package io.statesql.format.model;

import io.statesql.format.model.ColumnSource.Part;
import io.statesql.type.Codec;
import io.statesql.type.serializer.StoredSerializer;

/** What the header of one handle says of one state. */
public sealed interface StateMeta permits KeyedStateMeta, OperatorStateMeta {

  /** The name as the job registered it. */
  String name();

  StateKind kind();

  /** The stored key serializer; null where the state has none. */
  StoredSerializer key();

  /** The stored namespace serializer; null where the state has none. */
  StoredSerializer namespace();

  /** The stored value serializer. */
  StoredSerializer value();

  /** The codecs for the state's elements; those of parts that it does not have are null. */
  ElementCodecs codecs();

  /** The codec of a part; null if the state does not have it. */
  default Codec codec(Part part) {
    return switch (part) {
      case KEY -> codecs().key();
      case NAMESPACE -> codecs().namespace();
      case MAP_KEY -> codecs().mapKey();
      case VALUE -> codecs().value();
    };
  }
}
