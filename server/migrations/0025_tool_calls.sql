CREATE TABLE "tool_usage_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"endpoint" text NOT NULL,
	"name" text,
	"hint" text,
	"last_used_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tool_usage_writers" (
	"id" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"final_before" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "content_kept_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "tool_usage_keys_by_account" ON "tool_usage_keys" USING btree ("account_id");
--> statement-breakpoint
-- Calls of tools are counted as calls with query keys are, in tables of the same form.
CREATE TABLE tool_usage_minutes (LIKE usage_minutes INCLUDING ALL) PARTITION BY RANGE (bucket);
--> statement-breakpoint
CREATE TABLE tool_usage_fives (LIKE usage_fives INCLUDING ALL) PARTITION BY RANGE (bucket);
--> statement-breakpoint
CREATE TABLE tool_usage_hours (LIKE usage_hours INCLUDING ALL) PARTITION BY RANGE (bucket);
--> statement-breakpoint
CREATE TABLE tool_usage_days (LIKE usage_days INCLUDING ALL) PARTITION BY RANGE (bucket);
--> statement-breakpoint
CREATE TABLE tool_usage_attempts (LIKE usage_attempts INCLUDING ALL) PARTITION BY RANGE (bucket);
--> statement-breakpoint
-- Single calls of tools, for a week. Arguments and result only where the owner of the connection has them kept, for a day.
CREATE TABLE tool_calls (
  id text NOT NULL,
  at timestamptz(3) NOT NULL,
  account_id text NOT NULL,
  key_id text NOT NULL,
  session text NOT NULL,
  server text NOT NULL,
  server_name text NOT NULL,
  chain text NOT NULL,
  connection_id text NOT NULL,
  tool text NOT NULL,
  door text NOT NULL,
  outcome text NOT NULL,
  denied_by text,
  ms float8 NOT NULL,
  bytes_sent bigint NOT NULL,
  bytes_received bigint NOT NULL,
  credits bigint NOT NULL,
  weight integer NOT NULL,
  arguments text,
  result text,
  content_ends_at timestamptz(3),
  PRIMARY KEY (at, id)
) PARTITION BY RANGE (at);
--> statement-breakpoint
CREATE INDEX tool_calls_by_account ON tool_calls (account_id, at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX tool_calls_with_content ON tool_calls (content_ends_at) WHERE content_ends_at IS NOT NULL;
