/**
 * POJOs by the names of their fields, their subclasses, registered and not, and what the job's
 * classes say of those.
 */
package io.statesql.type.pojo;
