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
package io.statesql.server.state;

import io.statesql.server.User;
import io.statesql.snapshot.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A request to change an entry, whose sender may do so.
 *
 * @param id by which its outcome can be asked for
 * @param text method and path, for logs and for the history of the savepoint
 * @param isDelete whether the entry shall go; otherwise it shall be what the body says
 * @param contentType of the body; null if the sender named none
 */
record ChangeRequest(
    String id,
    User user,
    String text,
    EntryAddressText address,
    boolean isDelete,
    Preconditions preconditions,
    @Nullable String contentType,
    Bytes body) {}
