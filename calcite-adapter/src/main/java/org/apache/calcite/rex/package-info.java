/**
 * The one thing that StateSQL's type system needs of a package-private constructor of Calcite's
 * expressions.
 */
package org.apache.calcite.rex;
