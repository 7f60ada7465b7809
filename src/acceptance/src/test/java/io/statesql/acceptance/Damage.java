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
package io.statesql.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * One fault in one file of a snapshot.
 *
 * @param position how many bytes are left, or which byte has a flipped bit
 * @param bit which bit is flipped, from 0; below 0 for a truncation
 */
record Damage(String file, int position, int bit) {

  boolean isTruncation() {
    return bit < 0;
  }

  /** The damaged content of the file. */
  byte[] applyTo(byte[] content) {
    if (isTruncation()) {
      return Arrays.copyOf(content, position);
    }
    byte[] flipped = content.clone();
    flipped[position] ^= (byte) (1 << bit);
    return flipped;
  }

  /** Cuts and flips at even distances: as many of each in every file. */
  static List<Damage> systematic(Path snapshot, int ofEach) throws IOException {
    List<Damage> damages = new ArrayList<>();
    for (Path file : files(snapshot)) {
      String name = file.getFileName().toString();
      int size = (int) Files.size(file);
      for (int i = 0; i < ofEach; i++) {
        damages.add(new Damage(name, (int) ((long) size * i / ofEach), -1));
        damages.add(new Damage(name, (int) ((long) size * (2 * i + 1) / (2L * ofEach)), i % 8));
      }
      damages.add(new Damage(name, size - 1, -1));
      damages.add(new Damage(name, size - 1, 7));
    }
    return damages;
  }

  /** One truncation for nine flips, half of all in the metadata. */
  static List<Damage> random(Path snapshot, int count, long seed) throws IOException {
    Random random = new Random(seed);
    List<Path> files = files(snapshot);
    List<Damage> damages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Path file =
          i % 2 == 0 ? snapshot.resolve("_metadata") : files.get(random.nextInt(files.size()));
      int position = random.nextInt((int) Files.size(file));
      damages.add(
          new Damage(
              file.getFileName().toString(), position, i % 10 == 9 ? -1 : random.nextInt(8)));
    }
    return damages;
  }

  private static List<Path> files(Path snapshot) throws IOException {
    try (var files = Files.list(snapshot)) {
      return files.sorted().toList();
    }
  }

  @Override
  public String toString() {
    return isTruncation()
        ? file + " cut to " + position + " bytes"
        : "bit " + bit + " of byte " + position + " of " + file + " flipped";
  }
}
