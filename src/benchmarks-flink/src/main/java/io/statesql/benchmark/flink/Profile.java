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

/** What the job knows of a user: a POJO in Flink's sense. */
public class Profile {
  public String name;
  public int visits;
  public double balance;

  /** Epoch milliseconds. */
  public long since;

  public Profile() {}

  /** The profile of a user, the same in each run. */
  static Profile of(long user) {
    Profile profile = new Profile();
    profile.name = "user-" + user;
    profile.visits = (int) (user % 1_000);
    profile.balance = user % 10_000;
    profile.since = 1_700_000_000_000L + user;
    return profile;
  }
}
