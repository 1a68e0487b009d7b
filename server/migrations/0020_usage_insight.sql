-- Answers of the cache (among ok), and calls that no upstream answered (among errors).
ALTER TABLE usage_minutes ADD COLUMN cached bigint NOT NULL DEFAULT 0, ADD COLUMN unanswered bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE usage_hours ADD COLUMN cached bigint NOT NULL DEFAULT 0, ADD COLUMN unanswered bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE usage_days ADD COLUMN cached bigint NOT NULL DEFAULT 0, ADD COLUMN unanswered bigint NOT NULL DEFAULT 0;
--> statement-breakpoint
-- The same as usage_hours by five minutes, for two days.
CREATE TABLE usage_fives (LIKE usage_hours INCLUDING ALL) PARTITION BY RANGE (bucket);
--> statement-breakpoint
-- Requests to upstreams by five minutes, for two days: what each process counted, cumulative, so that the greatest is the
-- newest.
CREATE TABLE usage_attempts (
  account_id text NOT NULL,
  bucket timestamptz(0) NOT NULL,
  endpoint text NOT NULL,
  upstream text NOT NULL,
  class text NOT NULL,
  writer text NOT NULL,
  attempts bigint NOT NULL,
  took_ms bigint NOT NULL,
  PRIMARY KEY (account_id, bucket, endpoint, upstream, class, writer)
) PARTITION BY RANGE (bucket);
