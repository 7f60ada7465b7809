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
package io.statesql.benchmark.flink;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiter;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;

/**
 * Lets a source of one subtask emit so many records at full speed and none after them. The source
 * stays alive, so that a snapshot can be taken.
 *
 * @param marker the path of a file that is made when the last of the records was emitted
 */
record FirstRecords<S extends SourceSplit>(long count, String marker)
    implements RateLimiterStrategy<S> {

  @Override
  public RateLimiter<S> createRateLimiter(int parallelism) {
    return new Limiter<>(count, Path.of(marker));
  }

  private static final class Limiter<S extends SourceSplit> implements RateLimiter<S> {
    private static final CompletionStage<Void> NOW = CompletableFuture.completedStage(null);

    private final Path marker;
    private long left;

    Limiter(long count, Path marker) {
      this.left = count;
      this.marker = marker;
    }

    @Override
    public CompletionStage<Void> acquire(int records) {
      left -= records;
      if (left >= 0) {
        return NOW;
      }
      try {
        Files.createFile(marker);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new CompletableFuture<>();
    }
  }
}
