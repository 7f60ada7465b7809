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
package io.statesql.format.keygroup;

import io.statesql.format.bytes.KeyGroupExtents;
import io.statesql.format.model.KeyedStateMeta;
import io.statesql.format.model.SplitFault;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.StateFile;
import io.statesql.type.MalformedValueException;
import io.statesql.type.UndelimitedParts;
import io.statesql.type.serializer.UnknownSerializerException;
import java.io.IOException;
import java.util.List;

/**
 * Reads timers in raw keyed state; see {@link RawTimerGroup} for the layout. They have no order.
 */
public final class RawTimerElements extends FileElements {
  private final RawTimerGroup group;

  private boolean inKeyGroup;
  private RawTimerService service;

  /** Of the present service, those whose timers are still to come. */
  private List<KeyedStateMeta> statesLeft = List.of();

  private int timersLeft;

  /**
   * @param file is closed with this reader
   */
  public RawTimerElements(SplitScan scan, StateFile file, KeyGroupExtents extents) {
    super(scan, file, extents);
    this.group = new RawTimerGroup(split.serializers(), file.maxValueBytes());
  }

  @Override
  boolean advance() throws IOException {
    while (timersLeft > 0 || openNextTimers()) {
      timersLeft--;
      entries++;
      if (scan.wantsState(element.state.id())) {
        group.readTimer(element);
        return true;
      }
      group.skipTimer(service);
    }
    return false;
  }

  /** Moves to the next timers of a service and time domain; there may be none of them. */
  private boolean openNextTimers() throws IOException {
    while (timersLeft == 0) {
      if (statesLeft.isEmpty() && !openNextService()) {
        return false;
      }
      element.state = statesLeft.get(0);
      statesLeft = statesLeft.subList(1, statesLeft.size());
      timersLeft = group.readCount();
    }
    if (!service.isDelimited()) {
      throw SplitFault.undelimited(
          split,
          element,
          group.offset(),
          UndelimitedParts.reason(
              service.key().codec().isDelimited()
                  ? service.namespace().codec()
                  : service.key().codec()),
          null);
    }
    return true;
  }

  private boolean openNextService() throws IOException {
    element.state = null;
    while (inKeyGroup || openNextKeyGroup()) {
      service = nextService();
      if (service != null) {
        statesLeft = states(service);
        return true;
      }
      inKeyGroup = false;
    }
    return false;
  }

  private RawTimerService nextService() throws IOException {
    try {
      return group.nextService();
    } catch (UnknownSerializerException e) {
      // The service stands in other key groups, too, where its serializers were known.
      throw new MalformedValueException(
          extents.start(extent),
          "a timer service of key group "
              + extents.keyGroup(extent)
              + " cannot be read: "
              + e.getMessage(),
          e);
    }
  }

  private boolean openNextKeyGroup() throws IOException {
    do {
      if (!nextExtent()) {
        return false;
      }
    } while (extents.isEmpty(extent));
    element.keyGroup = extents.keyGroup(extent);
    group.open(file, extents, extent);
    inKeyGroup = true;
    return true;
  }

  /** The states of a service in the split's header. */
  private List<KeyedStateMeta> states(RawTimerService found) {
    String first = found.states(0).get(0).name();
    List<KeyedStateMeta> states = split.header().states();
    for (int i = 0; i < states.size(); i += 2) {
      if (states.get(i).name().equals(first)) {
        requireSame(found.states(i), states.subList(i, i + 2));
        return states.subList(i, i + 2);
      }
    }
    throw new MalformedValueException(
        extents.start(extent),
        "the timer service " + found.name() + " is not in the first key group");
  }

  private void requireSame(List<KeyedStateMeta> found, List<KeyedStateMeta> expected) {
    if (!found.get(0).value().description().equals(expected.get(0).value().description())) {
      throw new MalformedValueException(
          extents.start(extent),
          "the timers "
              + found.get(0).name()
              + " are of type "
              + found.get(0).value().description()
              + " and elsewhere "
              + expected.get(0).value().description());
    }
  }
}
