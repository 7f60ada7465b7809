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
package io.statesql.coordinator;

import java.util.List;

/**
 * What the coordinator says to a report.
 *
 * @param active whether the instance is now registered at the reporter: not so for a run that was
 *     deactivated, or if another executor loaded the instance later
 * @param providerIdsToUnload which of the instances asked about are active elsewhere
 */
public record ReportReply(boolean active, List<StoreInstanceId> providerIdsToUnload) {
  public ReportReply {
    providerIdsToUnload = List.copyOf(providerIdsToUnload);
  }
}
