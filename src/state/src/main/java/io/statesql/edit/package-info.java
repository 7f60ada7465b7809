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
/**
 * Changed state: what the statements of a transaction put and remove, held in stored bytes, and the
 * writer that makes a savepoint of a snapshot and such changes.
 *
 * <p>Nothing here knows SQL: values have been made bytes by {@link io.statesql.type.Codec}s before,
 * and the group of a key is known.
 */
package io.statesql.edit;
