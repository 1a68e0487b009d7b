-- Partitioned by time so that old counts are dropped, not deleted. Partitions are made by server/platform/postgres/partitions.ts.
-- What each process counted, by the minute: cumulative values, which only grow, so that the greatest is the newest.
-- `latencies` is a histogram written as one number: class 0 in the lowest 16 decimal digits, class 1 in the next 16, and
-- so on. Adding two such numbers joins two histograms.
CREATE TABLE usage_minutes (
  account_id text NOT NULL,
  bucket timestamptz(0) NOT NULL,
  key_id text NOT NULL,
  endpoint text NOT NULL,
  method text NOT NULL,
  writer text NOT NULL,
  requests bigint NOT NULL,
  credits bigint NOT NULL,
  credits_back bigint NOT NULL,
  ok bigint NOT NULL,
  errors bigint NOT NULL,
  rate_limited bigint NOT NULL,
  credit_limited bigint NOT NULL,
  bytes_in bigint NOT NULL,
  bytes_out bigint NOT NULL,
  latencies numeric NOT NULL,
  PRIMARY KEY (account_id, bucket, key_id, endpoint, method, writer)
) PARTITION BY RANGE (bucket);
--> statement-breakpoint
-- Sums over all processes. Each minute's row is moved, never copied: it is in usage_minutes, or in both of these.
-- `level`: 0 a method of a key · 1 a key, method '' · 2 a method of all keys of the account, key_id '' · 3 the account.
CREATE TABLE usage_hours (
  account_id text NOT NULL,
  level smallint NOT NULL,
  key_id text NOT NULL,
  bucket timestamptz(0) NOT NULL,
  endpoint text NOT NULL,
  method text NOT NULL,
  requests bigint NOT NULL,
  credits bigint NOT NULL,
  ok bigint NOT NULL,
  errors bigint NOT NULL,
  rate_limited bigint NOT NULL,
  credit_limited bigint NOT NULL,
  bytes_in bigint NOT NULL,
  bytes_out bigint NOT NULL,
  latencies numeric NOT NULL,
  last_used_at timestamptz(0) NOT NULL,
  PRIMARY KEY (account_id, level, key_id, bucket, endpoint, method)
) PARTITION BY RANGE (bucket);
--> statement-breakpoint
CREATE INDEX usage_hours_by_method ON usage_hours (account_id, method, bucket) WHERE level = 0;
--> statement-breakpoint
CREATE INDEX usage_hours_of_accounts ON usage_hours (bucket) WHERE level = 3;
--> statement-breakpoint
CREATE TABLE usage_days (LIKE usage_hours INCLUDING ALL) PARTITION BY RANGE (bucket);
