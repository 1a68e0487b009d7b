DROP TABLE "api_key_changes" CASCADE;--> statement-breakpoint
ALTER TABLE "nodes" DROP COLUMN "api_keys_version";--> statement-breakpoint
CREATE TABLE "key_changes" (
	"version" bigint PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"key_ids" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "query_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"endpoint" text NOT NULL,
	"rate_units" bigint,
	"rate_period" text,
	"credits_units" bigint,
	"credits_period" text,
	"allowed_ips" text[] NOT NULL,
	"allowed_domains" text[] NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"is_enabled" boolean NOT NULL,
	"key_hash" text NOT NULL,
	"key_sealed" text NOT NULL,
	"hint" text NOT NULL,
	"previous_key_hash" text,
	"previous_hint" text,
	"previous_ends_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "query_keys_key_hash_unique" UNIQUE("key_hash"),
	CONSTRAINT "query_keys_previous_key_hash_unique" UNIQUE("previous_key_hash")
);
--> statement-breakpoint
CREATE TABLE "query_key_answers" (
	"id" text PRIMARY KEY NOT NULL,
	"request_hash" text NOT NULL,
	"answer_sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "keys_version" bigint DEFAULT -1 NOT NULL;--> statement-breakpoint
CREATE INDEX "query_keys_by_account" ON "query_keys" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "query_key_answers_by_age" ON "query_key_answers" USING btree ("created_at");