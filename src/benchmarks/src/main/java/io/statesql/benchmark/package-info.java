/** Programs that measure StateSQL. */
package io.statesql.benchmark;
