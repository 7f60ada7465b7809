/**
 * What every form of keyed state can do: {@link io.statesql.format.form.KeyedForm}, of which each
 * form's own room has an object. Reads and opens nothing itself.
 */
package io.statesql.format.form;
