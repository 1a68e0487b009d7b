ALTER TABLE "nodes" ADD COLUMN "url" text;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "version" text;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "started_at" timestamp (3) with time zone;