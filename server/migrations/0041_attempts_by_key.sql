-- Requests to upstreams are counted by key; those from before are of no key. Two days are kept, so that this is quick.
ALTER TABLE usage_attempts ADD COLUMN key_id text NOT NULL DEFAULT '', DROP CONSTRAINT usage_attempts_pkey,
  ADD CONSTRAINT usage_attempts_pkey PRIMARY KEY (account_id, bucket, endpoint, upstream, class, key_id, writer);
--> statement-breakpoint
ALTER TABLE tool_usage_attempts ADD COLUMN key_id text NOT NULL DEFAULT '', DROP CONSTRAINT tool_usage_attempts_pkey,
  ADD CONSTRAINT tool_usage_attempts_pkey PRIMARY KEY (account_id, bucket, endpoint, upstream, class, key_id, writer);
