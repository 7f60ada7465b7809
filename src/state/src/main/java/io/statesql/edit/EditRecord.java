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
package io.statesql.edit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.statesql.edit.EditReport.ChangedState;
import io.statesql.snapshot.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** The side file of a written savepoint, as JSON: what it was made of, and how. */
final class EditRecord {
  private static final int FORMAT_VERSION = 1;
  private static final JsonFactory FACTORY = new JsonFactory();

  private EditRecord() {}

  static byte[] of(Snapshot base, CommitRecord record, EditReport report) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
      out.useDefaultPrettyPrinter();
      out.writeStartObject();
      out.writeNumberField("version", FORMAT_VERSION);
      out.writeStringField("base", base.folder().toString());
      out.writeNumberField("checkpoint_id", base.metadata().checkpointId());
      out.writeStringField("time", record.time().toString());
      out.writeStringField("user", record.user());
      writeTexts(out, "statements", record.statements());
      writeTexts(out, "requests", record.requests());
      writeTexts(out, "states", report.states().stream().map(ChangedState::toString).toList());
      out.writeNumberField("keys", report.keys());
      out.writeNumberField("key_groups", report.keyGroups());
      out.writeNumberField("entries_put", report.entriesPut());
      out.writeNumberField("entries_removed", report.entriesRemoved());
      out.writeNumberField("bytes_rewritten", report.bytesRewritten());
      out.writeNumberField("files_rewritten", report.filesRewritten());
      out.writeNumberField("bytes_copied", report.bytesCopied());
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void writeTexts(JsonGenerator out, String name, List<String> texts)
      throws IOException {
    out.writeArrayFieldStart(name);
    for (String text : texts) {
      out.writeString(text);
    }
    out.writeEndArray();
  }
}
