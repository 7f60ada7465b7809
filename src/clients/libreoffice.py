#!/usr/bin/env python3
#
# Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file
# except in compliance with the License. You may obtain a copy of the License at
#
#     https://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software distributed under the
# License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
# either express or implied. See the License for the specific language governing permissions
# and limitations under the License.
#
# Lets LibreOffice Base use a server that serves the sample, and prints what it sees. On Debian:
#   apt-get install libreoffice-base libreoffice-java-common python3-uno
#   ./statesql server sql-examples/snapshots/orders --port 8765
#   soffice --headless --norestore '--accept=socket,host=localhost,port=2002;urp;' &
#   /usr/bin/python3 src/clients/libreoffice.py avatica-1.28.0.jar slf4j-api-2.0.17.jar
import os
import sys

import uno
from com.sun.star.beans import PropertyValue

URL = "jdbc:avatica:remote:url=http://localhost:8765;serialization=protobuf"
OFFICE = "uno:socket,host=localhost,port=2002;urp;StarOffice.ComponentContext"
TABLE = "orders.orders-per-customer.keyed_state"


def rows_of(result, columns):
    while result.next():
        yield [result.getString(column) for column in columns]


class_path = " ".join("file://" + os.path.abspath(jar) for jar in sys.argv[1:])
local = uno.getComponentContext()
resolver = local.ServiceManager.createInstanceWithContext(
    "com.sun.star.bridge.UnoUrlResolver", local
)
context = resolver.resolve(OFFICE)


def make(service):
    return context.ServiceManager.createInstanceWithContext(service, context)


source = make("com.sun.star.sdb.DatabaseContext").createInstance()
source.URL = URL
source.Settings.JavaDriverClass = "org.apache.calcite.avatica.remote.Driver"
source.Info = (
    PropertyValue("JavaDriverClass", 0, "org.apache.calcite.avatica.remote.Driver", 0),
    PropertyValue("JavaDriverClassPath", 0, class_path, 0),
)
connection = source.getConnection("", "")

print(len(connection.getTables().getElementNames()), "tables")
tables = connection.getMetaData().getTables(None, "orders-per-customer", "%", ())
for schema, table, remarks in rows_of(tables, (2, 3, 5)):
    print(schema, table, "|", remarks)

columns = connection.getTables().getByName(TABLE).getColumns()
for name in columns.getElementNames():
    print(name, columns.getByName(name).TypeName, "|", columns.getByName(name).Description)

view = make("com.sun.star.sdb.RowSet")
view.ActiveConnection = connection
view.CommandType = 0
view.Command = TABLE
view.execute()
print(len(list(rows_of(view, (1,)))), "rows in the table view")

statement = connection.createStatement()
sql = (
    'SELECT state_key, "order-count", "order-ids"'
    ' FROM "orders-per-customer".keyed_state ORDER BY state_key LIMIT 2'
)
for row in rows_of(statement.executeQuery(sql), (1, 2, 3)):
    print(row)
