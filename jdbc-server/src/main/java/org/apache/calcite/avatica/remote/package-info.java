/** The part of the server that needs package-private methods of Avatica's messages. */
package org.apache.calcite.avatica.remote;
