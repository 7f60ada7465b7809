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
package io.statesql.snapshot;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Metadata of version 3 with the forms of handles that Flink still reads but writes no more. */
final class OldForms {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  private OldForms() {}

  /** One operator with three subtasks: key groups, incremental, and changelog with its parts. */
  static byte[] file() throws IOException {
    OldForms forms = new OldForms();
    forms.writeHeader();
    forms.writeSubtask(0, forms::writeKeyGroups);
    forms.writeSubtask(1, forms::writeIncremental);
    forms.writeSubtask(2, forms::writeChangelog);
    return forms.bytes.toByteArray();
  }

  /** A stream handle of key groups in another, and so on. */
  static byte[] nestedKeyGroups(int depth) throws IOException {
    OldForms forms = new OldForms();
    forms.writeHeader();
    forms.writeSubtask(
        0,
        () -> {
          for (int i = 0; i < depth; i++) {
            forms.out.writeByte(3);
            forms.writeRange();
            forms.out.writeLong(0);
            forms.out.writeLong(0);
          }
        });
    return forms.bytes.toByteArray();
  }

  private interface Writer {
    void write() throws IOException;
  }

  private void writeHeader() throws IOException {
    out.writeInt(MetadataReader.MAGIC);
    out.writeInt(3);
    out.writeLong(9);
    out.writeInt(0);
    out.writeInt(1);
    out.writeLong(1);
    out.writeLong(2);
    out.writeInt(3);
    out.writeInt(128);
    out.writeByte(0);
    out.writeInt(3);
  }

  private void writeSubtask(int index, Writer keyedState) throws IOException {
    out.writeInt(index);
    out.writeInt(0);
    out.writeInt(0);
    keyedState.write();
    out.writeByte(0);
    out.writeInt(0);
    out.writeInt(0);
  }

  private void writeRange() throws IOException {
    out.writeInt(7);
    out.writeInt(2);
  }

  private void writeInline() throws IOException {
    out.writeByte(1);
    out.writeUTF("inline");
    out.writeInt(3);
    out.write(new byte[] {1, 2, 3});
  }

  private void writeKeyGroups() throws IOException {
    out.writeByte(3);
    writeRange();
    out.writeLong(11);
    out.writeLong(0);
    writeInline();
  }

  private void writeIncremental() throws IOException {
    out.writeByte(5);
    out.writeLong(8);
    out.writeUTF("00000000-0000-0001-0000-000000000002");
    writeRange();
    writeInline();
    out.writeInt(1);
    out.writeUTF("000007.sst");
    writeInline();
    out.writeInt(0);
  }

  private void writeChangelog() throws IOException {
    out.writeByte(8);
    writeRange();
    out.writeLong(500);
    out.writeInt(2);
    out.writeByte(0);
    writeKeyGroups();
    out.writeInt(1);
    writeChangelogStream();
    out.writeLong(4);
    out.writeUTF("changelog-id");
  }

  private void writeChangelogStream() throws IOException {
    out.writeByte(10);
    writeRange();
    out.writeInt(1);
    out.writeLong(6);
    writeInline();
    out.writeLong(3);
    out.writeLong(2);
    out.writeUTF("stream-id");
  }
}
