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
package io.statesql.examples.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Commits each number as a file of its own, with a name that no other commit has: a number that is
 * committed twice has two files.
 */
final class LedgerSink implements Sink<Long>, SupportsCommitter<Long> {
  private static final long serialVersionUID = 1;

  private final String folder;
  private final boolean holds;

  /**
   * @param folder that exists
   * @param holds whether to put off every commit
   */
  LedgerSink(Path folder, boolean holds) {
    this.folder = folder.toString();
    this.holds = holds;
  }

  @Override
  public CommittingSinkWriter<Long, Long> createWriter(WriterInitContext context) {
    return new Writer();
  }

  @Override
  public Committer<Long> createCommitter(CommitterInitContext context) {
    return new FileCommitter(Path.of(folder), holds);
  }

  @Override
  public SimpleVersionedSerializer<Long> getCommittableSerializer() {
    return new NumberSerializer();
  }

  /** Makes a committable of each number since the last checkpoint. */
  private static final class Writer implements CommittingSinkWriter<Long, Long> {
    private List<Long> numbers = new ArrayList<>();

    @Override
    public void write(Long number, Context context) {
      numbers.add(number);
    }

    @Override
    public void flush(boolean endOfInput) {}

    @Override
    public Collection<Long> prepareCommit() {
      List<Long> prepared = numbers;
      numbers = new ArrayList<>();
      return prepared;
    }

    @Override
    public void close() {}
  }

  private record FileCommitter(Path folder, boolean holds) implements Committer<Long> {
    @Override
    public void commit(Collection<CommitRequest<Long>> requests) throws IOException {
      for (CommitRequest<Long> request : requests) {
        if (holds) {
          request.retryLater();
        } else {
          Files.writeString(
              folder.resolve(UUID.randomUUID().toString()), request.getCommittable().toString());
        }
      }
    }

    @Override
    public void close() {}
  }

  private static final class NumberSerializer implements SimpleVersionedSerializer<Long> {
    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(Long number) {
      return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    @Override
    public Long deserialize(int version, byte[] serialized) {
      return ByteBuffer.wrap(serialized).getLong();
    }
  }
}
