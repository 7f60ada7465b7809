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
package io.statesql.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConnectUrlTest {
  @Test
  void mountsAreAListInOrder() {
    ConnectUrl url =
        ConnectUrl.mounting(
            List.of(
                new Mount(Optional.empty(), Path.of("/data/a b")),
                new Mount(Optional.of("next"), Path.of("/data/c"))),
            Map.of());

    assertThat(url.url()).isEqualTo("jdbc:statesql:");
    assertThat(url.properties())
        .containsEntry("snapshot", "/data/a b,next=/data/c")
        .containsEntry("composites", "json");
  }

  @Test
  void aPathWithACommaIsQuoted() {
    ConnectUrl url =
        ConnectUrl.mounting(
            List.of(new Mount(Optional.of("a"), Path.of("/data/x,\"y\""))), Map.of());

    assertThat(url.properties()).containsEntry("snapshot", "\"a=/data/x,\"\"y\"\"\"");
  }

  @Test
  void pathMapsAreAListInOrder() {
    CommandLineArguments arguments =
        CommandLineArguments.parse(
            new String[] {"/", "--path-map", "/a,b=/c", "--path-map=s3://d/e=/f"}, Map.of());

    assertThat(arguments.request().connection().orElseThrow().properties())
        .containsEntry("pathMap", "\"/a,b=/c\",s3://d/e=/f");
  }

  @Test
  void jarsAreTheListOfTheDriver() {
    CommandLineArguments arguments =
        CommandLineArguments.parse(new String[] {"/", "--jars", "job.jar,lib/model.jar"}, Map.of());

    assertThat(arguments.request().connection().orElseThrow().properties())
        .containsEntry("jars", "job.jar,lib/model.jar");
  }

  @Test
  void uidsAreTheListOfTheDriver() {
    CommandLineArguments arguments =
        CommandLineArguments.parse(new String[] {"/", "--uids", "orders,\"a,b\""}, Map.of());

    assertThat(arguments.request().connection().orElseThrow().properties())
        .containsEntry("uids", "orders,\"a,b\"");
  }

  @Test
  void memoryAndThreadsAreOptionsOfTheDriver() {
    CommandLineArguments arguments =
        CommandLineArguments.parse(
            new String[] {"/", "--memory=64m", "--parallelism", "3"}, Map.of());

    assertThat(arguments.request().connection().orElseThrow().properties())
        .containsEntry("memory", "64m")
        .containsEntry("parallelism", "3");
  }
}
