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
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Writes savepoints of animals, some of which are dogs, which the job has not registered: one in
 * each form. Of its two subtasks the second alone has met dogs.
 */
public final class AnimalJob {
  private AnimalJob() {}

  public static void main(String[] args) throws Exception {
    Path target = Path.of(args[0]).toAbsolutePath();
    Savepoints.write(new Savepoints.Job("animals", new Keep(), 2), target);
  }

  /** Keeps an animal, a kennel, an animal that Kryo writes and two numbers under each key. */
  public static final class Keep extends KeyedProcessFunction<Integer, Integer, Object> {
    private static final long serialVersionUID = 1;

    private transient ValueState<Animal> animal;
    private transient ValueState<Kennel> kennel;
    private transient ValueState<Animal> written;
    private transient ValueState<Long> last;
    private transient ValueState<Long> next;

    @Override
    public void open(Configuration unused) {
      animal = getRuntimeContext().getState(new ValueStateDescriptor<>("animal", Animal.class));
      kennel = getRuntimeContext().getState(new ValueStateDescriptor<>("kennel", Kennel.class));
      written =
          getRuntimeContext()
              .getState(new ValueStateDescriptor<>("written", Types.GENERIC(Animal.class)));
      last = getRuntimeContext().getState(new ValueStateDescriptor<>("last", Types.LONG));
      next = getRuntimeContext().getState(new ValueStateDescriptor<>("next", Types.LONG));
    }

    @Override
    public void processElement(Integer n, Context context, Collector<Object> out)
        throws Exception {
      boolean isOfSecond =
          KeyGroupRangeAssignment.assignToKeyGroup(n, Savepoints.MAX_PARALLELISM)
              >= Savepoints.MAX_PARALLELISM / 2;
      animal.update(isOfSecond ? dog(n) : animal(n));
      Kennel value = new Kennel();
      value.first = isOfSecond ? dog(n) : animal(n);
      value.all = new ArrayList<>(List.of(value.first, animal(n + 10)));
      value.number = n;
      kennel.update(value);
      written.update(animal(n));
      last.update(n * 10L);
      next.update(n * 10L + 10);
      Savepoints.keptOne();
    }

    private static Animal animal(int n) {
      return named(new Animal(), n);
    }

    private static Animal dog(int n) {
      Dog dog = new Dog();
      dog.breed = "breed" + n;
      dog.good = n % 2 == 0;
      return named(dog, n);
    }

    private static Animal named(Animal animal, int n) {
      animal.legs = n;
      animal.name = "name" + n;
      return animal;
    }
  }
}
