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

import com.google.protobuf.StringValue;
import org.apache.flink.statefun.flink.core.message.RoutableMessage;
import org.apache.flink.statefun.flink.core.message.RoutableMessageBuilder;
import org.apache.flink.statefun.sdk.FunctionType;
import org.apache.flink.statefun.sdk.reqreply.generated.TypedValue;
import org.apache.flink.streaming.api.functions.source.SourceFunction;

/** Sends the messages of the sample, or none, and then nothing until it is told to stop. */
final class Visits implements SourceFunction<RoutableMessage> {
  private static final long serialVersionUID = 1L;
  private static final String[] PRODUCTS = {"tea", "coffee", "mug", "tea"};
  private static final String[] CUSTOMERS = {"anna", "李雷", "a/b", "zero"};

  private final boolean isSilent;
  private volatile boolean isRunning = true;

  /**
   * @param isSilent whether it sends no messages at all
   */
  Visits(boolean isSilent) {
    this.isSilent = isSilent;
  }

  @Override
  public void run(SourceContext<RoutableMessage> context) throws InterruptedException {
    for (String customer : isSilent ? new String[0] : CUSTOMERS) {
      for (String product : PRODUCTS) {
        send(context, Basket.TYPE, customer, StringValue.of(product));
      }
      send(
          context,
          Greeter.TYPE,
          customer,
          TypedValue.newBuilder().setTypename("io.statefun.types/string").setHasValue(true).build());
    }
    while (isRunning) {
      Thread.sleep(50);
    }
  }

  private static void send(
      SourceContext<RoutableMessage> context, FunctionType type, String id, Object body) {
    context.collect(
        RoutableMessageBuilder.builder().withTargetAddress(type, id).withMessageBody(body).build());
  }

  @Override
  public void cancel() {
    isRunning = false;
  }
}
