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

import io.statesql.type.SqlType;

/**
 * One column of a table of state.
 *
 * @param name as SQL sees it, unique in its table whatever the case
 * @param source where its values come from
 * @param isKey whether it is part of what tells rows apart
 */
public record Column(String name, SqlType type, ColumnSource source, boolean isKey) {}
