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

/** A codec that reads without classes of the job what it can, and asks them for the rest. */
public interface PartlyReadable extends Codec {

  /**
   * The same codec with classes of the job.
   *
   * @param byClass reads all values of the serializer
   */
  Codec orElse(ObjectCodec byClass);
}
