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
package io.statesql.format.rocksdb;

import io.statesql.format.work.WorkFolder;
import java.io.IOException;
import java.nio.file.Files;

/**
 * A program that makes a work folder with a file in it and ends without closing it: by {@code
 * System.exit} or as if it were killed, or, for any other argument, when its input ends.
 */
public final class RocksDbFolderHolder {
  public static final String EXIT = "exit";
  public static final String KILLED = "killed";
  public static final String WAIT = "wait";

  private RocksDbFolderHolder() {}

  public static void main(String[] args) throws IOException {
    WorkFolder folder = WorkFolder.create();
    Files.writeString(folder.files().resolve("000001.sst"), "some bytes");
    System.out.println(folder.files().getParent());
    switch (args[0]) {
      case EXIT -> System.exit(0);
      case KILLED -> Runtime.getRuntime().halt(0);
      default -> System.in.transferTo(System.out);
    }
  }
}
