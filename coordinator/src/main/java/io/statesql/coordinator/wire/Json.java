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
package io.statesql.coordinator.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Reads and writes the records of this package. Requests are read strictly: every field is known
 * and of its own type, none stands twice. Replies may have more fields than are known, so that an
 * older client understands a newer coordinator.
 */
public final class Json {
  private static final int MAX_DEPTH = 16;
  private static final int MAX_TEXT = 16 * 1024;

  private static final ObjectMapper STRICT =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxStringLength(MAX_TEXT)
                          .build())
                  .build())
          .enable(
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .withCoercionConfig(
              LogicalType.Textual,
              config ->
                  config
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail))
          .build();

  private static final ObjectMapper LENIENT =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private Json() {}

  /**
   * Reads a request.
   *
   * @throws IllegalArgumentException if it is not what the type says; the message says where
   */
  public static <T> T readRequest(byte[] body, int length, Class<T> type) {
    T request;
    try {
      request = STRICT.readValue(body, 0, length, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(reason(e), e);
    } catch (IOException e) {
      throw new UncheckedIOException("Reading memory failed", e);
    }
    if (request == null) {
      throw new IllegalArgumentException("The body must be a JSON object, not null");
    }
    return request;
  }

  /**
   * Reads a reply.
   *
   * @throws IOException if it is not what the type says
   */
  public static <T> T readReply(byte[] body, Class<T> type) throws IOException {
    T reply = LENIENT.readValue(body, type);
    if (reply == null) {
      throw new IOException("the reply is null");
    }
    return reply;
  }

  public static byte[] write(Object value) {
    try {
      return STRICT.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A record of this package must be writable", e);
    }
  }

  /** Writes a reply piece by piece; values are written as {@link #write} does. */
  public static JsonGenerator generator(ByteArrayOutputStream out) {
    try {
      return STRICT.createGenerator(out);
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
  }

  /** What is wrong, without the names of our classes. */
  private static String reason(JsonProcessingException failure) {
    if (failure instanceof UnrecognizedPropertyException unknown) {
      return "Unknown field " + path(unknown);
    }
    if (failure instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()) {
      return "Wrong type or value of field " + path(mapping);
    }
    if (failure instanceof JsonMappingException) {
      return "The body must be one JSON object of the message's fields";
    }
    JsonLocation at = failure.getLocation();
    String where = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    return "Malformed JSON" + where + ": " + failure.getOriginalMessage();
  }

  private static String path(JsonMappingException failure) {
    StringBuilder path = new StringBuilder();
    for (JsonMappingException.Reference step : failure.getPath()) {
      if (step.getFieldName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
      }
    }
    return path.toString();
  }
}
