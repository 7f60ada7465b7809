/** The part of the shell that needs protected members of Avatica's classes. */
package org.apache.calcite.avatica;
