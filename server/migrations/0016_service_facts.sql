CREATE TABLE "service_facts" (
	"service_id" text PRIMARY KEY NOT NULL,
	"facts" jsonb NOT NULL,
	"verifier_ids" text[] NOT NULL,
	"reported_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "service_health" ADD COLUMN "cause" jsonb;--> statement-breakpoint
ALTER TABLE "services" ADD COLUMN "capabilities" jsonb;