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

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;

/** A Flink cluster in this JVM. */
final class LocalCluster {
  private LocalCluster() {}

  /** A running cluster, to be closed by the caller. */
  static MiniCluster start(Configuration configuration) throws Exception {
    Configuration all = new Configuration(configuration);
    all.set(RestOptions.BIND_PORT, "0");
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(all)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(UserStates.PARALLELISM)
                .build());
    cluster.start();
    return cluster;
  }
}
