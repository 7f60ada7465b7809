/**
 * Forms that hold one key group behind the other in a file: canonical, heap and raw timers. Their
 * elements, and what an edit reads and writes anew of a key group.
 */
package io.statesql.format.keygroup;
