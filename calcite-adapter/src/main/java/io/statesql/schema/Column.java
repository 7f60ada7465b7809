package io.statesql.schema;

import io.statesql.format.ColumnSource;
import io.statesql.type.SqlType;

/**
 * One column of a table of state.
 *
 * @param name as SQL sees it, unique in its table whatever the case
 * @param source where its values come from
 * @param isKey whether it is part of what tells rows apart
 */
record Column(String name, SqlType type, ColumnSource source, boolean isKey) {}
