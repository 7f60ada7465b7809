<#--
 Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file
 except in compliance with the License. You may obtain a copy of the License at

 https://www.apache.org/licenses/LICENSE-2.0

 Unless required by applicable law or agreed to in writing, software distributed under the
 License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 either express or implied. See the License for the specific language governing permissions
 and limitations under the License.
-->

SqlDrop SqlDropSchema(Span s, boolean replace) :
{
    boolean ifExists = false;
    final SqlIdentifier id;
}
{
    <SCHEMA>
    [
        LOOKAHEAD(2)
        <IF> <EXISTS> { ifExists = true; }
    ]
    id = CompoundIdentifier()
    {
        return SqlDdlNodes.dropSchema(s.end(this), false, ifExists, id);
    }
}

SqlNode SqlShow() :
{
    final Span s;
    final SqlShow.Subject subject;
    SqlIdentifier place = null;
    SqlNode pattern = null;
}
{
    <SHOW> { s = span(); }
    (
        <CATALOGS> { subject = SqlShow.Subject.CATALOGS; }
    |
        ( <SCHEMAS> | <DATABASES> ) { subject = SqlShow.Subject.SCHEMAS; }
        [ ( <FROM> | <IN> ) place = CompoundIdentifier() ]
    |
        <TABLES> { subject = SqlShow.Subject.TABLES; }
        [ ( <FROM> | <IN> ) place = CompoundIdentifier() ]
    |
        <COLUMNS> { subject = SqlShow.Subject.COLUMNS; }
        ( <FROM> | <IN> ) place = CompoundIdentifier()
    )
    [ <LIKE> pattern = StringLiteral() ]
    {
        return new SqlShow(s.end(this), subject, place, pattern);
    }
}

SqlNode SqlUse() :
{
    final Span s;
    SqlUse.Level level = SqlUse.Level.ANY;
    final SqlIdentifier place;
}
{
    <USE> { s = span(); }
    [
        LOOKAHEAD(2)
        (
            <CATALOG> { level = SqlUse.Level.CATALOG; }
        |
            ( <SCHEMA> | <DATABASE> ) { level = SqlUse.Level.SCHEMA; }
        )
    ]
    place = CompoundIdentifier()
    {
        return new SqlUse(s.end(this), level, place);
    }
}

SqlNode SqlDesc() :
{
    final Span s;
    final SqlIdentifier table;
}
{
    <DESC> { s = span(); }
    [ <TABLE> ]
    table = CompoundIdentifier()
    {
        return new SqlDescribeTable(s.end(this), table, null);
    }
}
