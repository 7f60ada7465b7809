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
package io.statesql.kryo2;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Writes savepoints of state that Kryo wrote, one in each form. */
public final class ProfileJob {
  private ProfileJob() {}

  public static void main(String[] args) throws Exception {
    Path target = Path.of(args[0]).toAbsolutePath();
    Savepoints.write(new Savepoints.Job("profiles", new Keep(), 1), target);
  }

  /** Its states lie in the order of their names. */
  public static final class Keep extends KeyedProcessFunction<Integer, Integer, Object> {
    private transient ValueState<Profile> profile;
    private transient ValueState<Object> anything;
    private transient MapState<String, LocalDate> visits;
    private transient ValueState<Long> last;

    @Override
    public void open(Configuration unused) {
      profile = getRuntimeContext().getState(new ValueStateDescriptor<>("b-profile", Profile.class));
      anything =
          getRuntimeContext()
              .getState(new ValueStateDescriptor<>("a-thing", Types.GENERIC(Object.class)));
      visits =
          getRuntimeContext()
              .getMapState(
                  new MapStateDescriptor<>(
                      "c-visits", Types.STRING, Types.GENERIC(LocalDate.class)));
      last = getRuntimeContext().getState(new ValueStateDescriptor<>("d-last", Types.LONG));
    }

    @Override
    public void processElement(Integer n, Context context, Collector<Object> out)
        throws Exception {
      Profile value = new Profile();
      value.age = 20 + n;
      value.born = n == 1 ? null : LocalDate.of(2000, 1, 1 + n);
      value.counters = n == 2 ? null : new TreeMap<>();
      for (int i = 0; value.counters != null && i < n; i++) {
        value.counters.put("c" + i, i * 100);
      }
      value.name = "name" + n;
      profile.update(value);
      anything.update(new ArrayList<>(List.of(n, "text" + n, LocalDate.of(2026, 3, 1))));
      visits.put("first", LocalDate.of(2026, 1, 1 + n));
      visits.put("then", LocalDate.of(2026, 2, 1 + n));
      last.update(n * 10L);
      Savepoints.keptOne();
    }
  }
}
