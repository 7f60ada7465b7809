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
package io.statesql.changelog;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.AggregatingState;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingState;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Makes every change to every kind of state; which, depends on the number. */
final class AllChanges extends KeyedProcessFunction<Long, Long, Long> {
  private static final long serialVersionUID = 1;
  private static final int KEYS = ChangelogJob.KEYS;

  /** From here on shapes are squares. */
  private static final long FIRST_SQUARE = 5 * KEYS;

  private static final long YEAR_2100 = 4_102_444_800_000L;

  private transient ValueState<Long> count;
  private transient ValueState<Long> seen;
  private transient ValueState<Shape> shape;
  private transient ListState<String> names;
  private transient ListState<Shape> shapes;
  private transient MapState<String, Long> entries;
  private transient ReducingState<Long> sum;
  private transient AggregatingState<Long, Long> average;

  @Override
  public void open(OpenContext context) {
    TypeInformation<Shape> ofShapes = TypeInformation.of(Shape.class);
    count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
    shape = getRuntimeContext().getState(new ValueStateDescriptor<>("shape", ofShapes));
    names = getRuntimeContext().getListState(new ListStateDescriptor<>("names", Types.STRING));
    shapes = getRuntimeContext().getListState(new ListStateDescriptor<>("shapes", ofShapes));
    entries =
        getRuntimeContext()
            .getMapState(new MapStateDescriptor<>("entries", Types.STRING, Types.LONG));
    sum =
        getRuntimeContext()
            .getReducingState(new ReducingStateDescriptor<>("sum", Long::sum, Types.LONG));
    average =
        getRuntimeContext()
            .getAggregatingState(
                new AggregatingStateDescriptor<>(
                    "average", new Average(), Types.TUPLE(Types.LONG, Types.LONG)));
    ValueStateDescriptor<Long> expiring = new ValueStateDescriptor<>("seen", Types.LONG);
    expiring.enableTimeToLive(StateTtlConfig.newBuilder(Duration.ofDays(36_500)).build());
    seen = getRuntimeContext().getState(expiring);
  }

  @Override
  public void processElement(Long number, Context context, Collector<Long> out) throws Exception {
    long turn = number / KEYS;
    changeValues(number, turn);
    changeCollections(number, turn);
    context.timerService().registerEventTimeTimer(YEAR_2100 + number);
    context.timerService().registerProcessingTimeTimer(YEAR_2100 + turn);
    if (turn % 2 == 1) {
      context.timerService().deleteEventTimeTimer(YEAR_2100 + number - KEYS);
    }
  }

  private void changeValues(long number, long turn) throws Exception {
    Long before = count.value();
    count.update(before == null ? 1 : before + 1);
    if (number % 7 == 6) {
      count.clear();
    }
    seen.update(number);
    sum.add(number);
    average.add(number);
    shape.update(shape(number, "last-" + turn));
  }

  private void changeCollections(long number, long turn) throws Exception {
    names.add("added-" + number);
    shapes.add(shape(number, "one-of-" + turn));
    if (number % 9 == 5) {
      names.update(List.of("updated-" + number, "and more"));
    } else if (number % 13 == 3) {
      names.clear();
    } else if (number % 4 == 1) {
      names.addAll(List.of("all-" + number, ""));
    }
    entries.put("turn-" + turn, number);
    entries.putAll(Map.of("any", -number, "all-" + turn % 3, number));
    if (number % 3 == 1) {
      entries.remove("turn-" + (turn - 1));
    }
    if (number % 11 == 10) {
      entries.clear();
    }
  }

  private static Shape shape(long number, String name) {
    Shape result;
    if (number % KEYS == 0) {
      result = new Shape();
    } else if (number < FIRST_SQUARE) {
      Shape.Circle circle = new Shape.Circle();
      circle.radius = number / 2.0;
      result = circle;
    } else {
      Shape.Square square = new Shape.Square();
      square.side = number;
      result = square;
    }
    result.name = name;
    return result;
  }

  /** Holds sum and number. */
  private static final class Average implements AggregateFunction<Long, Tuple2<Long, Long>, Long> {
    private static final long serialVersionUID = 1;

    @Override
    public Tuple2<Long, Long> createAccumulator() {
      return Tuple2.of(0L, 0L);
    }

    @Override
    public Tuple2<Long, Long> add(Long number, Tuple2<Long, Long> sum) {
      return Tuple2.of(sum.f0 + number, sum.f1 + 1);
    }

    @Override
    public Long getResult(Tuple2<Long, Long> sum) {
      return sum.f0 / sum.f1;
    }

    @Override
    public Tuple2<Long, Long> merge(Tuple2<Long, Long> one, Tuple2<Long, Long> other) {
      return Tuple2.of(one.f0 + other.f0, one.f1 + other.f1);
    }
  }
}
