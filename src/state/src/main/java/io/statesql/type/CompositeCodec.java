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
package io.statesql.type;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/** A codec made of others. */
public interface CompositeCodec extends Codec {

  /** The same codec with each part replaced. */
  Codec mapParts(UnaryOperator<Codec> replacement);

  /** This one, unless keys show some part of it otherwise. */
  @Override
  default Codec ofKeyPart() {
    AtomicBoolean isOther = new AtomicBoolean();
    mapParts(
        part -> {
          isOther.compareAndSet(false, part.ofKeyPart() != part);
          return part;
        });
    return isOther.get() ? mapParts(Codec::ofKeyPart) : this;
  }

  /** Whether all parts are exact. */
  default boolean hasExactParts() {
    AtomicBoolean allExact = new AtomicBoolean(true);
    mapParts(
        part -> {
          allExact.compareAndSet(true, part.isExact());
          return part;
        });
    return allExact.get();
  }
}
