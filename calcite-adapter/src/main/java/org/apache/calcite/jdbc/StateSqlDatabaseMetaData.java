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
package org.apache.calcite.jdbc;

import org.apache.calcite.avatica.AvaticaDatabaseMetaData;

/** What JDBC asks about the database: a catalog is a snapshot, a schema an operator. */
final class StateSqlDatabaseMetaData extends AvaticaDatabaseMetaData {
  StateSqlDatabaseMetaData(StateSqlConnection connection) {
    super(connection);
  }

  @Override
  public boolean isReadOnly() {
    return true;
  }

  @Override
  public boolean supportsTransactions() {
    return false;
  }
}
