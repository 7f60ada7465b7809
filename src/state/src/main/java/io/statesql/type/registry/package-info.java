/**
 * The door to the types: {@link io.statesql.type.registry.StoredSerializers} reads a serializer
 * snapshot with all families that there are.
 */
package io.statesql.type.registry;
