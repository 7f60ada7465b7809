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
package io.statesql.job;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.type.StateInput;
import io.statesql.type.kryo.BoundedJson;

/**
 * What stands in place of the {@link ObjectText} of one value that the job's classes cannot read or
 * show, whose bytes are known all the same: a JSON object of the reason ({@code "@unreadable"}) and
 * of the bytes as they are stored ({@code "@bytes"}, Base64). No field of a class has such a name.
 */
final class UnreadableText {
  private UnreadableText() {}

  /**
   * The text of a value.
   *
   * @param fault why it cannot be read
   * @param in stands behind the value
   * @param start where the value begins in the input
   * @throws StateSqlException the fault, if it is of another kind than {@link
   *     ErrorCode#UNDECODABLE_STATE}, or the text would be too long
   */
  static String of(StateSqlException fault, StateInput in, int start) {
    if (fault.code() != ErrorCode.UNDECODABLE_STATE) {
      throw fault;
    }
    try {
      return BoundedJson.of(
          /* maxNesting= */ 1,
          "",
          json -> {
            json.out().writeStartObject();
            json.out().writeStringField("@unreadable", fault.getMessage());
            json.out().writeFieldName("@bytes");
            json.out().writeBinary(in.array(), start, in.position() - start);
            json.out().writeEndObject();
          });
    } catch (StateSqlException tooLong) {
      fault.addSuppressed(tooLong);
      throw fault;
    }
  }
}
