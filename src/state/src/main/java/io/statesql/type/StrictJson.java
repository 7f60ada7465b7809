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

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Reads the JSON text of a value that is to be stored. Strict: a text is one value and nothing
 * behind it, an object has each name once, and numbers keep every digit.
 */
public final class StrictJson {
  /** How deep a text may be nested; no stored type is nested deeper. */
  public static final int MAX_NESTING = 256;

  private static final ObjectReader READER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_NESTING)
                          .maxStringLength(Integer.MAX_VALUE)
                          .build())
                  .build())
          .enable(
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
              DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build()
          .readerFor(JsonNode.class);

  private StrictJson() {}

  /**
   * Reads a text.
   *
   * @return a missing node for an empty text
   * @throws JsonProcessingException if it is not JSON; {@link #reason} tells why
   */
  public static JsonNode read(String text) throws JsonProcessingException {
    return READER.readTree(text);
  }

  /** Why a text is not JSON, in words that do not tell where. */
  public static String reason(JsonProcessingException failure) {
    return failure.getOriginalMessage().replaceFirst(" \\(start marker .*", "");
  }
}
