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
package io.statesql.type.table;

import io.statesql.type.RowShape;
import io.statesql.type.SqlType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code BinaryMapData} (flink-table-common 2.3): the length of the array of keys in four bytes,
 * that array, and the array of values. Flink may store a key twice; its last value counts, as in
 * {@code BinaryMapData#toJavaMap}. Values are unmodifiable maps in stored order.
 */
record BinaryMap(BinaryArray keys, BinaryArray values) implements BinaryContent {

  @Override
  public SqlType type() {
    return new SqlType.MapOf(element(keys), element(values));
  }

  private static SqlType element(BinaryArray array) {
    return RowShape.ofElement(array.element().type());
  }

  @Override
  public Map<Object, Object> read(BinarySection in) {
    int keyLength = in.intAt(0);
    BinarySection keyArea = in.area(Integer.BYTES, keyLength);
    int valuesAt = Integer.BYTES + keyLength;
    List<Object> keyList = keys.read(keyArea);
    List<Object> valueList = values.read(in.area(valuesAt, in.length() - valuesAt));
    if (keyList.size() != valueList.size()) {
      throw in.malformed(
          0, "a map has " + keyList.size() + " keys and " + valueList.size() + " values");
    }
    Map<Object, Object> entries = new LinkedHashMap<>();
    for (int i = 0; i < keyList.size(); i++) {
      entries.put(keyList.get(i), valueList.get(i));
    }
    return Collections.unmodifiableMap(entries);
  }

  @Override
  public BinaryBuilder write(Object value) {
    Map<?, ?> entries = (Map<?, ?>) value;
    BinaryBuilder keyArray = keys.write(new ArrayList<Object>(entries.keySet()));
    BinaryBuilder valueArray = values.write(new ArrayList<Object>(entries.values()));
    BinaryBuilder out =
        new BinaryBuilder((long) Integer.BYTES + keyArray.length() + valueArray.length());
    out.putInt(0, keyArray.length());
    out.putAll(Integer.BYTES, keyArray);
    out.putAll(Integer.BYTES + keyArray.length(), valueArray);
    return out;
  }

  @Override
  public @Nullable String unwritable() {
    String reason = keys.unwritable();
    return reason != null ? reason : values.unwritable();
  }

  @Override
  public boolean isExact() {
    return false;
  }
}
