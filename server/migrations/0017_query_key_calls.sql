ALTER TABLE "query_keys" ADD COLUMN "allowed_methods" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "query_keys" ADD COLUMN "allowed_contracts" text[] DEFAULT '{}' NOT NULL;