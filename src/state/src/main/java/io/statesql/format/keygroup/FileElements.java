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

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.FaultText;
import io.statesql.StateSqlException;
import io.statesql.format.bytes.KeyGroupExtents;
import io.statesql.format.bytes.ValueTooLargeException;
import io.statesql.format.model.KeyedElement;
import io.statesql.format.model.KeyedElements;
import io.statesql.format.model.KeyedSplit;
import io.statesql.format.model.SplitFault;
import io.statesql.format.scan.SplitScan;
import io.statesql.snapshot.StateFile;
import io.statesql.type.MalformedValueException;
import java.io.IOException;

/** The elements in one state file that holds key group after key group, whatever its layout. */
abstract class FileElements implements KeyedElements {
  final SplitScan scan;
  final KeyedSplit split;
  final StateFile file;
  final KeyGroupExtents extents;

  /** Whether the entries are compressed, so that offsets in them count decompressed bytes. */
  final boolean compressed;

  final KeyedElement element = new KeyedElement();

  /** Index into the extents of the present key group; -1 before the first. */
  int extent = -1;

  /** Entries passed so far. */
  long entries;

  /**
   * @param file is closed with this reader
   */
  FileElements(SplitScan scan, StateFile file, KeyGroupExtents extents) {
    this.scan = scan;
    this.split = scan.split();
    this.file = file;
    this.extents = extents;
    this.compressed = split.header().compressed();
  }

  /** Moves {@link #element} to the next element of a wanted state, or returns false. */
  abstract boolean advance() throws IOException;

  /** As {@link #passAll}. */
  long advanceToEnd(Cancellation cancellation) throws IOException {
    long passed = 0;
    while (advance()) {
      cancellation.check();
      passed++;
    }
    return passed;
  }

  /**
   * Moves to the next key group that is wanted.
   *
   * @return false after the last one
   */
  final boolean nextExtent() {
    do {
      extent++;
      if (extent == extents.count()) {
        return false;
      }
    } while (!scan.wantsKeyGroup(extents.keyGroup(extent)));
    scan.counters().addKeyGroup();
    return true;
  }

  @Override
  public final boolean next() {
    try {
      return advance();
    } catch (MalformedValueException e) {
      throw malformed(e);
    } catch (ValueTooLargeException e) {
      throw tooLarge(e);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  @Override
  public final long passAll(Cancellation cancellation) {
    try {
      return advanceToEnd(cancellation);
    } catch (MalformedValueException e) {
      throw malformed(e);
    } catch (ValueTooLargeException e) {
      throw tooLarge(e);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private StateSqlException tooLarge(ValueTooLargeException fault) {
    String state = element.state == null ? null : element.state.name();
    return SplitFault.tooLarge(split, state, element.keyGroup, compressed, fault);
  }

  private StateSqlException unreadable(IOException fault) {
    return new StateSqlException(
        ErrorCode.IO_ERROR,
        "Cannot read " + split.file() + ": " + FaultText.of(fault) + ".",
        fault);
  }

  @Override
  public final KeyedElement element() {
    return element;
  }

  @Override
  public final StateSqlException malformed(MalformedValueException fault) {
    String state = element.state == null ? null : element.state.name();
    return SplitFault.malformed(split, state, element.keyGroup, compressed, fault);
  }

  @Override
  public final void close() {
    scan.counters().addEntries(entries);
    entries = 0;
    file.close();
  }
}
