CREATE TABLE "api_key_changes" (
	"version" bigint PRIMARY KEY NOT NULL,
	"api_key_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"name" text NOT NULL,
	"permissions" text[] NOT NULL,
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
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_key_hash_unique" UNIQUE("key_hash"),
	CONSTRAINT "api_keys_previous_key_hash_unique" UNIQUE("previous_key_hash")
);
--> statement-breakpoint
CREATE TABLE "nodes" (
	"id" text PRIMARY KEY NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"api_keys_version" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shared_secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "api_keys_by_account" ON "api_keys" USING btree ("account_id","created_at");