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

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.api.OperatorIdentifier;
import org.apache.flink.state.api.OperatorTransformation;
import org.apache.flink.state.api.SavepointReader;
import org.apache.flink.state.api.SavepointWriter;
import org.apache.flink.state.api.StateBootstrapTransformation;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Changes the state of users as one does with the State Processor API: reads the operator, removes
 * it, and bootstraps it from what was read.
 */
public final class RewriteUsers {
  private RewriteUsers() {}

  /**
   * The arguments: the snapshot; {@code hashmap} or {@code rocksdb}; {@code add} to add 1 to the
   * total of a user, or {@code remove} for every user of whom the number is a multiple; that
   * number; the folder of the new savepoint.
   */
  public static void main(String[] args) throws Exception {
    Configuration configuration = new Configuration();
    // In batch mode this job was seen to wait for ever (2.3.0).
    configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
    StateBackend backend =
        args[1].equals("rocksdb") ? new EmbeddedRocksDBStateBackend() : new HashMapStateBackend();
    boolean removes = args[2].equals("remove");
    long number = Long.parseLong(args[3]);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    environment.setParallelism(UserStates.PARALLELISM);
    environment.getConfig().enableObjectReuse();
    OperatorIdentifier users = OperatorIdentifier.forUid(UserStates.UID);
    DataStream<UserRecord> read =
        SavepointReader.read(environment, args[0], backend)
            .readKeyedState(
                users, new ReadUserRecords(), Types.LONG, TypeInformation.of(UserRecord.class));
    DataStream<UserRecord> changed =
        removes
            ? read.filter(record -> record.user % number != 0)
            : read.map(record -> withOneMore(record, number));
    StateBootstrapTransformation<UserRecord> bootstrap =
        OperatorTransformation.bootstrapWith(changed)
            .keyBy(record -> record.user, Types.LONG)
            .transform(new WriteUserRecords());
    SavepointWriter.fromExistingSavepoint(environment, args[0], backend)
        .removeOperator(users)
        .withOperator(users, bootstrap)
        .write(args[4]);
    // On a cluster of its own, which has the slots that the API's job takes.
    environment.execute("rewrite users");
  }

  private static UserRecord withOneMore(UserRecord record, long user) {
    if (record.user == user) {
      record.total++;
    }
    return record;
  }
}
