ALTER TABLE "accounts" ADD COLUMN "last_seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "recent_calls" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "recent_credits" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "accounts" SET "last_seen_at" = (SELECT max(s."last_seen_at") FROM "web_sessions" s WHERE s."account_id" = "accounts"."id");
