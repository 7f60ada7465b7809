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
package io.statesql.format.model;

import io.statesql.snapshot.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a statement left of an entry of keyed state.
 *
 * @param mapKey null unless the state is a MAP
 * @param timestamp 0 unless the state is a TIMER
 * @param values the value, or the elements of a list; none if the entry was removed; holds null for
 *     the null value of a MAP entry
 */
public record StagedEntry(
    int keyGroup,
    Bytes key,
    Bytes namespace,
    @Nullable Bytes mapKey,
    long timestamp,
    List<Bytes> values) {}
