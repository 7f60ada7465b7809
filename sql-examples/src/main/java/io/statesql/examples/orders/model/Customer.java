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
package io.statesql.examples.orders.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that the shop keeps of a customer: a POJO with a field of nearly every type that POJOs have.
 */
public class Customer extends Party {
  public Address address;
  public byte[] avatar;
  public BigDecimal balance;
  public LocalDate birthday;
  public Set<String> channels;
  public Instant lastSeen;
  public Boolean newsletter;
  public LocalDateTime nextReview;
  public String[] nicknames;
  public int orders;
  public BigInteger points;
  public Map<String, Integer> purchases;
  public double[] ratings;
  public double score;
  public List<String> tags;
  public Tier tier;
}
