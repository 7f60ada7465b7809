/**
 * Classes of a job that a user supplies in jars, and what they read: values whose bytes only their
 * own serializers understand, and hash codes of keys. The only package in which code of a job runs.
 *
 * <p>{@link io.statesql.job.JobJars} is the door: it implements {@link
 * io.statesql.type.serializer.JobClasses} for the codecs of {@code io.statesql.type}, which ask it
 * only about what they find opaque. Each call into the job's code goes through {@code JobCode},
 * which makes one sentence of whatever it throws.
 */
package io.statesql.job;
