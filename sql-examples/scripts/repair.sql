-- Repairs the state of the sample job: one savepoint for all statements of the transaction.
!autocommit off

-- A deployment counted every order of customer 1 twice.
UPDATE "orders-per-customer"."order-count" SET state_value = state_value / 2 WHERE state_key = 1;

-- A profile whose data must go, with all other state of that key and its timers.
DELETE FROM customers.timers WHERE state_key = 'dora';
DELETE FROM customers.keyed_state WHERE state_key = 'dora';

-- A rule that was never sent, in the copies of all subtasks.
UPSERT INTO "fraud-detector"."active-rules" VALUES (7, TRUE);

-- What the commit will rewrite.
SELECT entries_put, entries_removed, key_groups FROM commits WHERE savepoint IS NULL;

!commit

SELECT state_key, state_value FROM "orders-per-customer"."order-count" WHERE state_key = 1;
SELECT COUNT(*) AS rows_of_dora FROM customers.keyed_state WHERE state_key = 'dora';
