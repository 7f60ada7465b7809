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

import io.statesql.entry.StoredEntry;
import io.statesql.format.model.StoredElement;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Tells two contents of an entry apart. Over the stored bytes, without times of last access, and
 * the same in every form of snapshot. As a header it is a strong ETag: each representation has its
 * own, of which all mean the same content.
 *
 * @param content of the entry
 */
record EntityTag(String content) {
  private static final int BYTES = 16;

  static EntityTag of(StoredEntry entry) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      if (entry.state().codecs().wholeList()) {
        for (StoredElement element : entry.elements()) {
          digest.update(element.value().toByteArray());
        }
      } else {
        digest.update(entry.bytes().toByteArray());
      }
      return new EntityTag(HexFormat.of().formatHex(digest.digest(), 0, BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  /** The header of a representation. */
  String header(Representation.Form form) {
    return '"' + content + form.tagSuffix() + '"';
  }

  /** Whether a tag of a list in a header means this content, in whatever representation. */
  boolean matches(String tag) {
    for (Representation.Form form : Representation.Form.values()) {
      if (tag.equals(header(form))) {
        return true;
      }
    }
    return false;
  }
}
