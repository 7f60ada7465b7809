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
package io.statesql.statefun;

import com.google.protobuf.Field;
import com.google.protobuf.StringValue;
import com.google.protobuf.Syntax;
import com.google.protobuf.Type;
import java.time.Duration;
import org.apache.flink.statefun.sdk.Context;
import org.apache.flink.statefun.sdk.FunctionType;
import org.apache.flink.statefun.sdk.StatefulFunction;
import org.apache.flink.statefun.sdk.annotations.Persisted;
import org.apache.flink.statefun.sdk.state.Expiration;
import org.apache.flink.statefun.sdk.state.PersistedAppendingBuffer;
import org.apache.flink.statefun.sdk.state.PersistedTable;
import org.apache.flink.statefun.sdk.state.PersistedValue;

/** An embedded function with every kind of persisted state; a message is the name of a product. */
final class Basket implements StatefulFunction {
  static final FunctionType TYPE = new FunctionType("shop.example", "basket");

  private static final Duration YEARS = Duration.ofDays(3650);

  @Persisted private final PersistedValue<Integer> count = PersistedValue.of("count", Integer.class);

  @Persisted
  private final PersistedValue<String> lastProduct =
      PersistedValue.of("last-product", String.class, Expiration.expireAfterWriting(YEARS));

  @Persisted
  private final PersistedTable<String, Integer> items =
      PersistedTable.of("items", String.class, Integer.class);

  @Persisted
  private final PersistedAppendingBuffer<String> history =
      PersistedAppendingBuffer.of("history", String.class);

  /** A message of protobuf's own, with nested messages, an enum and a list. */
  @Persisted private final PersistedValue<Type> layout = PersistedValue.of("layout", Type.class);

  @Override
  public void invoke(Context context, Object input) {
    String product = ((StringValue) input).getValue();
    count.updateAndGet(before -> before == null ? 1 : before + 1);
    lastProduct.set(product);
    items.set(product, items.get(product) == null ? 1 : items.get(product) + 1);
    history.append(product);
    Type before = layout.getOrDefault(Type.newBuilder().setName(context.self().id()).build());
    layout.set(
        before.toBuilder()
            .setSyntax(Syntax.SYNTAX_PROTO3)
            .addOneofs(product)
            .addFields(
                Field.newBuilder()
                    .setKind(Field.Kind.TYPE_STRING)
                    .setName(product)
                    .setNumber(before.getFieldsCount() + 1)
                    .setPacked(true))
            .build());
    if (product.equals("tea")) {
      context.sendAfter(YEARS, TYPE, context.self().id(), StringValue.of("late " + product));
    }
  }
}
