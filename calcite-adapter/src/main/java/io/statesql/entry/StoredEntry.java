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
package io.statesql.entry;

import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.format.model.EntryAddress;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.StateKind;
import io.statesql.format.model.StoredElement;
import io.statesql.snapshot.Bytes;
import io.statesql.type.Codec;
import io.statesql.type.MalformedValueException;
import io.statesql.type.StateInput;
import io.statesql.type.StateOutput;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a key has of a state. Immutable.
 *
 * @param state of the handle that holds it
 * @param elements one value, all elements of the list or all entries of the map in the order of
 *     their keys' bytes; not empty
 */
public record StoredEntry(KeyedStateMeta state, List<StoredElement> elements) {
  public StoredEntry {
    List<StoredElement> sorted = new ArrayList<>(elements);
    if (state.kind() == StateKind.MAP) {
      // Forms keep maps in orders of their own; the same map shall be the same bytes.
      sorted.sort(Comparator.comparing(StoredElement::mapKey));
    }
    elements = List.copyOf(sorted);
  }

  int keyGroup() {
    return elements.get(0).keyGroup();
  }

  /** Where each of the elements stands; those of a list have one address. */
  List<EntryAddress> addresses() {
    return elements.stream().map(EntryAddress::of).distinct().toList();
  }

  /**
   * The bytes as Flink's serializer of the whole writes them, without the times of last access: of
   * a list a count and the elements, of a map a count and keys and values. A value that its
   * serializer writes behind its length is here without that.
   *
   * @throws StateSqlException with {@link ErrorCode#UNDECODABLE_STATE} if the elements of a list
   *     cannot be told apart, so that they cannot be counted
   */
  public Bytes bytes() {
    StateOutput out = new StateOutput();
    switch (state.kind()) {
      case LIST -> writeList(out);
      case MAP -> writeMap(out);
      default -> writeValue(out);
    }
    return Bytes.copyOf(out.toByteArray());
  }

  private void writeValue(StateOutput out) {
    StateInput in = bare(elements.get(0)).input();
    if (EntryCodec.framed(state).isPresent()) {
      in.skip(Integer.BYTES);
    }
    out.writeRest(in);
  }

  private void writeList(StateOutput out) {
    if (state.codecs().wholeList()) {
      throw new StateSqlException(
          ErrorCode.UNDECODABLE_STATE,
          "The elements of state \""
              + state.name()
              + "\" cannot be told apart without the class of the job.");
    }
    out.writeInt(elements.size());
    elements.forEach(element -> out.writeBytes(bare(element).toByteArray()));
  }

  private void writeMap(StateOutput out) {
    out.writeInt(elements.size());
    for (StoredElement element : elements) {
      out.writeBytes(element.mapKey().toByteArray());
      out.writeBoolean(element.value() == null);
      if (element.value() != null) {
        out.writeBytes(bare(element).toByteArray());
      }
    }
  }

  private Bytes bare(StoredElement element) {
    return state.codecs().hasTtl() ? withoutTime(element.value()) : element.value();
  }

  private static Bytes withoutTime(Bytes value) {
    StateInput in = value.input();
    in.skip(Long.BYTES);
    return Bytes.rest(in);
  }

  /**
   * The value, the list or the map, in the form that {@link io.statesql.type.SqlType} states.
   *
   * @throws StateSqlException if the bytes are not what their serializer says
   */
  public Object value() {
    try {
      return switch (state.kind()) {
        case LIST ->
            state.codecs().wholeList()
                ? decode(state.codecs().value(), bare(elements.get(0)))
                : list();
        case MAP -> map();
        default -> decode(state.codecs().value(), bare(elements.get(0)));
      };
    } catch (MalformedValueException e) {
      throw new StateSqlException(
          ErrorCode.MALFORMED_SNAPSHOT,
          "An entry of state \""
              + state.name()
              + "\" in key group "
              + keyGroup()
              + " is damaged at its byte "
              + e.offset()
              + ": "
              + e.getMessage()
              + ".",
          e);
    }
  }

  private List<Object> list() {
    List<Object> list = new ArrayList<>();
    elements.forEach(element -> list.add(decode(state.codecs().value(), bare(element))));
    return list;
  }

  private Map<Object, Object> map() {
    Map<Object, Object> map = new LinkedHashMap<>();
    for (StoredElement element : elements) {
      map.put(
          decode(state.codecs().mapKey(), element.mapKey()),
          element.value() == null ? null : decode(state.codecs().value(), bare(element)));
    }
    return map;
  }

  private static Object decode(Codec codec, Bytes bytes) {
    StateInput in = bytes.input();
    Object value = codec.readLast(in);
    in.requireEnd();
    return value;
  }
}
