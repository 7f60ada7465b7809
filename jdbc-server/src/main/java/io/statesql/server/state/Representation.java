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
package io.statesql.server.state;

import io.statesql.entry.EntryCodec;
import io.statesql.entry.NewEntry;
import io.statesql.entry.StoredEntry;
import io.statesql.snapshot.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An entry in one of the forms in which a client can have it.
 *
 * @param contentType of the body
 */
record Representation(Form form, String contentType, Bytes body) {
  static final String BYTES_TYPE = "application/octet-stream";
  static final String JSON_TYPE = "application/json";
  static final String TEXT_TYPE = "text/plain";
  private static final String UTF8_TEXT_TYPE = "text/plain; charset=UTF-8";

  /** How a value is written. */
  enum Form {
    /** As Flink's serializer writes it. */
    BYTES(""),
    /** As JSON. */
    JSON("-json"),
    /** A bare text, of composites JSON. */
    TEXT("-text");

    private final String tagSuffix;

    Form(String tagSuffix) {
      this.tagSuffix = tagSuffix;
    }

    /** What tells the entity tag of this form from those of others. */
    String tagSuffix() {
      return tagSuffix;
    }
  }

  /**
   * The types that the bytes of a state have: the one that tells the stored type first, if there is
   * one.
   */
  static List<String> bytesTypes(EntryCodec codec) {
    return codec
        .remoteType()
        .map(type -> List.of("statefun/" + type, BYTES_TYPE))
        .orElse(List.of(BYTES_TYPE));
  }

  /**
   * Chooses the form that a client likes best.
   *
   * @throws RefusedRequestException with 406 if it likes none that can be had
   */
  static Representation of(StoredEntry entry, AcceptedTypes accepted) {
    EntryCodec codec = new EntryCodec(entry.state());
    List<String> bytesTypes = bytesTypes(codec);
    String bytesType = accepted.best(bytesTypes);
    Form form = codec.isString() ? Form.TEXT : Form.BYTES;
    double best = form == Form.TEXT ? accepted.quality(TEXT_TYPE) : accepted.quality(bytesType);
    for (Form other : Form.values()) {
      double quality =
          accepted.quality(
              switch (other) {
                case BYTES -> bytesType;
                case JSON -> JSON_TYPE;
                case TEXT -> TEXT_TYPE;
              });
      if (quality > best) {
        best = quality;
        form = other;
      }
    }
    if (best <= 0) {
      throw new RefusedRequestException(
          406,
          "The entry can be had as "
              + String.join(", ", bytesTypes)
              + ", "
              + JSON_TYPE
              + " and "
              + TEXT_TYPE
              + ".");
    }
    return of(entry, codec, form, bytesType);
  }

  private static Representation of(
      StoredEntry entry, EntryCodec codec, Form form, String bytesType) {
    return switch (form) {
      case BYTES -> {
        if (entry.state().codecs().wholeList()) {
          throw new RefusedRequestException(
              406,
              "The elements of this list cannot be told apart without the class of the job, so it"
                  + " can be had as "
                  + JSON_TYPE
                  + " alone, in hexadecimal digits.");
        }
        yield new Representation(form, bytesType, entry.bytes());
      }
      case JSON -> new Representation(form, JSON_TYPE, utf8(codec.json(entry)));
      case TEXT -> {
        String text = codec.text(entry);
        if (text == null) {
          throw new RefusedRequestException(
              406, "The value is NULL, which no text says; ask for " + JSON_TYPE + ".");
        }
        yield new Representation(form, UTF8_TEXT_TYPE, utf8(text));
      }
    };
  }

  private static Bytes utf8(String text) {
    return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Reads what a client sent.
   *
   * @param contentType as the client named it; null if it did not
   * @throws RefusedRequestException with 415 if the type is none of the state's, and 400 if a text
   *     is not UTF-8
   * @throws io.statesql.StateSqlException if the body is not of the type, or does not fit
   */
  static NewEntry read(@Nullable String contentType, byte[] body, EntryCodec codec) {
    String[] parts = (contentType == null ? BYTES_TYPE : contentType).split(";", -1);
    String type = parts[0].strip();
    if (bytesTypes(codec).stream().anyMatch(type::equalsIgnoreCase)) {
      return codec.ofBytes(body);
    }
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip().toLowerCase(Locale.ROOT).replace("\"", "");
      if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")) {
        throw unsupported("Texts are UTF-8, and no other charset", codec);
      }
    }
    return switch (type.toLowerCase(Locale.ROOT)) {
      case JSON_TYPE -> codec.ofJson(text(body));
      case TEXT_TYPE -> codec.ofText(text(body));
      default -> throw unsupported("A body of this type is not taken", codec);
    };
  }

  private static RefusedRequestException unsupported(String reason, EntryCodec codec) {
    return new RefusedRequestException(
        415,
        reason
            + ": send Content-Type "
            + String.join(", ", bytesTypes(codec))
            + ", "
            + JSON_TYPE
            + " or "
            + TEXT_TYPE
            + "; the stored type is "
            + codec.serializer()
            + ".");
  }

  private static String text(byte[] body) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw new RefusedRequestException(400, "The body is not UTF-8.", e);
    }
  }
}
