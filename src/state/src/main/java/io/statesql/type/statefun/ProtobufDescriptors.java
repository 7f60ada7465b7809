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

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds a message among the files that a snapshot holds, without any generated class. */
final class ProtobufDescriptors {
  /** So many files may import each other in a row. */
  private static final int MAX_IMPORTS = 100;

  private final Map<String, FileDescriptorProto> files = new HashMap<>();
  private final Map<String, FileDescriptor> built = new HashMap<>();
  private final Set<String> beingBuilt = new HashSet<>();

  private ProtobufDescriptors(FileDescriptorSet set) {
    set.getFileList().forEach(file -> files.put(file.getName(), file));
  }

  /** The message of a full name; empty if it is not there, or the files are not sound. */
  static Optional<Descriptor> find(FileDescriptorSet set, String message) {
    ProtobufDescriptors descriptors = new ProtobufDescriptors(set);
    try {
      for (FileDescriptorProto file : set.getFileList()) {
        FileDescriptor described = descriptors.build(file.getName());
        String prefix = described.getPackage().isEmpty() ? "" : described.getPackage() + ".";
        Optional<Descriptor> found =
            message.startsWith(prefix)
                ? find(described, message.substring(prefix.length()))
                : Optional.empty();
        if (found.isPresent()) {
          return found;
        }
      }
      return Optional.empty();
    } catch (DescriptorValidationException e) {
      return Optional.empty();
    }
  }

  private static Optional<Descriptor> find(FileDescriptor file, String name) {
    String[] nested = name.split("\\.", -1);
    Descriptor found = file.findMessageTypeByName(nested[0]);
    for (int i = 1; i < nested.length && found != null; i++) {
      found = found.findNestedTypeByName(nested[i]);
    }
    return Optional.ofNullable(found);
  }

  /**
   * An import that leads nowhere, or in circles, is passed over: what needs it is not sound then.
   */
  private FileDescriptor build(String name) throws DescriptorValidationException {
    FileDescriptor known = built.get(name);
    if (known != null) {
      return known;
    }
    List<FileDescriptor> dependencies = new ArrayList<>();
    beingBuilt.add(name);
    for (String dependency : files.get(name).getDependencyList()) {
      if (files.containsKey(dependency)
          && !beingBuilt.contains(dependency)
          && beingBuilt.size() < MAX_IMPORTS) {
        dependencies.add(build(dependency));
      }
    }
    beingBuilt.remove(name);
    FileDescriptor file =
        FileDescriptor.buildFrom(
            files.get(name), dependencies.toArray(FileDescriptor[]::new), true);
    built.put(name, file);
    return file;
  }
}
