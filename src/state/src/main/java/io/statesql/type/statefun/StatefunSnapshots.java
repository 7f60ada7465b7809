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
package io.statesql.type.statefun;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.statesql.type.Binary;
import io.statesql.type.Codec;
import io.statesql.type.FramedCodec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.OpaqueCodec;
import io.statesql.type.RestCodec;
import io.statesql.type.SqlType;
import io.statesql.type.StateInput;
import io.statesql.type.ValueWriter;
import io.statesql.type.serializer.SnapshotParser;
import io.statesql.type.serializer.SnapshotReader;
import io.statesql.type.serializer.StoredSerializer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The serializer snapshots of Stateful Functions 3.3: values of remote functions by the names of
 * their types, and protobuf messages by the descriptors in the snapshot.
 */
public final class StatefunSnapshots {
  private static final String PACKAGE = "org.apache.flink.statefun.flink.";
  private static final int VERSION = 1;
  private static final int MESSAGE_VERSION = 2;

  /** Fields of {@code ProtobufSerializerSnapshot} (statefun-flink-common). */
  private static final int MESSAGE_NAME = 2;

  private static final int DESCRIPTOR_SET = 3;

  private StatefunSnapshots() {}

  public static void register(Map<String, SnapshotParser> parsers) {
    parsers.put(
        PACKAGE + "core.types.remote.RemoteValueSerializerSnapshot",
        StatefunSnapshots::parseRemoteValue);
    parsers.put(
        PACKAGE + "common.protobuf.ProtobufTypeSerializerSnapshot",
        StatefunSnapshots::parseProtobuf);
    parsers.put(
        PACKAGE + "core.message.MessageTypeSerializer$Snapshot", StatefunSnapshots::parseMessage);
  }

  private static StoredSerializer parseRemoteValue(SnapshotReader reader, int version) {
    reader.requireVersion(version, VERSION);
    String namespace = reader.in().readUtf();
    String name = namespace + "/" + reader.in().readUtf();
    Codec content =
        namespace.equals(WrapperMessages.NAMESPACE) ? WrapperMessages.codecOf(name) : allBytes();
    return new StoredSerializer(
        "Remote<" + name + ">", new FramedCodec(content, Optional.of(name)));
  }

  /** The bytes of a type of the user's own: anything. */
  static Codec allBytes() {
    return new RestCodec(
        SqlType.Scalar.VARBINARY,
        in -> Binary.of(in.readBytes(in.remaining())),
        ValueWriter.of(Binary.class, (bytes, out) -> out.writeBytes(bytes.bytes())));
  }

  private static StoredSerializer parseProtobuf(SnapshotReader reader, int version) {
    reader.requireVersion(version, VERSION);
    StateInput in = reader.in();
    byte[] snapshot = in.readBytes(in.readCount(1));
    try {
      UnknownFieldSet fields = UnknownFieldSet.parseFrom(snapshot);
      String name = text(fields, MESSAGE_NAME);
      Optional<Descriptor> descriptor =
          ProtobufDescriptors.find(FileDescriptorSet.parseFrom(last(fields, DESCRIPTOR_SET)), name);
      Codec content =
          descriptor
              .<Codec>map(ProtobufCodec::of)
              .orElseGet(
                  () ->
                      OpaqueCodec.undelimited(
                          "The snapshot's descriptors do not describe the message " + name));
      return new StoredSerializer(
          "Protobuf<" + name + ">", new FramedCodec(content, Optional.empty()));
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedValueException(
          in.offset() - snapshot.length, "the snapshot of a protobuf serializer is damaged", e);
    }
  }

  private static String text(UnknownFieldSet fields, int number)
      throws InvalidProtocolBufferException {
    return last(fields, number).toString(StandardCharsets.UTF_8);
  }

  private static com.google.protobuf.ByteString last(UnknownFieldSet fields, int number)
      throws InvalidProtocolBufferException {
    List<com.google.protobuf.ByteString> values = fields.getField(number).getLengthDelimitedList();
    if (values.isEmpty()) {
      throw new InvalidProtocolBufferException("Field " + number + " is missing");
    }
    return values.get(values.size() - 1);
  }

  /** Messages under way, in an envelope of Stateful Functions' own. */
  private static StoredSerializer parseMessage(SnapshotReader reader, int version) {
    reader.requireVersion(version, MESSAGE_VERSION);
    StateInput in = reader.in();
    in.readUtf();
    if (version == MESSAGE_VERSION && in.readBoolean()) {
      in.readUtf();
    }
    return new StoredSerializer(
        "Message",
        new FramedCodec(
            OpaqueCodec.undelimited("A message of Stateful Functions is shown as it is stored"),
            Optional.empty()));
  }

  /** A cursor of protobuf over what is left in an input. */
  static CodedInputStream coded(StateInput in) {
    return CodedInputStream.newInstance(in.array(), in.position(), in.remaining());
  }
}
