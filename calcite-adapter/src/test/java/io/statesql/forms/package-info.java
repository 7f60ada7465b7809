/**
 * SQL over each form of snapshot: what statements read and change in it. The writers of snapshots
 * stand here too ({@code KeyedForms}, {@code EntryForms}, {@code ManyKeys}, {@code ShopSnapshot},
 * {@code Zoo}); other modules take some of them from the tests of this one.
 */
package io.statesql.forms;
