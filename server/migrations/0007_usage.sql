CREATE TABLE "usage_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"endpoint" text NOT NULL,
	"name" text,
	"hint" text,
	"last_used_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_writers" (
	"id" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"final_before" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "usage_keys_by_account" ON "usage_keys" USING btree ("account_id");