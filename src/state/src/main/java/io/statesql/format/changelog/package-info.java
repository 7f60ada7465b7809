/**
 * A changelog: bases of any form and the changes since, applied key group by key group within a
 * budget of memory.
 */
package io.statesql.format.changelog;
