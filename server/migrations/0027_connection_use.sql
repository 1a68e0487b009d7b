ALTER TABLE "connections" ADD COLUMN "tools_flagged" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "on_change" text DEFAULT 'warn' NOT NULL;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "result_bytes" integer DEFAULT 1048576 NOT NULL;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "shows_secrets" boolean DEFAULT false NOT NULL;