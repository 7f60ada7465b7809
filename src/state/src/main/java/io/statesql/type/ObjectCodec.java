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

/**
 * A codec of objects of the job's classes, which shows them as JSON text. By itself it writes none:
 * not every text tells how its object is stored. Who may write one, a {@linkplain ObjectKeyCodec
 * key}, gives its bytes, or a text that tells all.
 */
public interface ObjectCodec extends Codec {

  /** The same with the stored bytes beside the text. */
  @Override
  default Codec ofKeyPart() {
    return new ObjectKeyCodec(this, this, /* isJson= */ true);
  }

  /** What reads the objects, and how they show: one sentence for a user, without its full stop. */
  String note();

  /**
   * Makes sure that bytes are one value, as the serializer writes it.
   *
   * @throws UnwritableValueException if they are not
   */
  void requireStored(byte[] bytes);

  /**
   * The bytes of the object that a JSON text describes.
   *
   * @throws UnwritableValueException if no object has that text, or if objects that are stored as
   *     other bytes have it, too
   */
  byte[] bytesOf(String json);
}
