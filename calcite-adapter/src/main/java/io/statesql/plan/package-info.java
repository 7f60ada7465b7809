/**
 * How a query becomes a scan: scan nodes, the rules that narrow them, and the rows that come out.
 */
package io.statesql.plan;
