/**
 * Headers of state files: the states and their serializers. A payload of unknown length is guessed
 * where the rest of the header, and those of the other subtasks, bear the guess out.
 */
package io.statesql.format.header;
