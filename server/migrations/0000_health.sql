CREATE TABLE "health_transitions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"service_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"from" text NOT NULL,
	"to" text NOT NULL,
	"reason" text NOT NULL,
	"votes" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "history_batches" (
	"id" text PRIMARY KEY NOT NULL,
	"stored_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "maintenance_windows" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"service_id" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"note" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service_health" (
	"service_id" text PRIMARY KEY NOT NULL,
	"published" text NOT NULL,
	"state" jsonb NOT NULL,
	"live_verifiers" integer NOT NULL,
	"avg_blocks_latency" bigint NOT NULL,
	"avg_time_latency" bigint NOT NULL,
	"evaluated_at" timestamp (3) with time zone NOT NULL,
	"quorum_expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "services" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"family" text NOT NULL,
	"chain" text,
	"provider" text NOT NULL,
	"access" text NOT NULL,
	"rule" jsonb,
	"policy" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "verifier_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"label" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "verifiers" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"region" text NOT NULL,
	"public_key" text NOT NULL,
	"families" jsonb NOT NULL,
	"version" text NOT NULL,
	"is_built_in" boolean DEFAULT false NOT NULL,
	"is_revoked" boolean DEFAULT false NOT NULL,
	"last_seq" bigint DEFAULT 0 NOT NULL,
	"last_seen_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "verifiers_public_key_unique" UNIQUE("public_key")
);
--> statement-breakpoint
CREATE INDEX "health_transitions_by_service" ON "health_transitions" USING btree ("service_id","at");--> statement-breakpoint
CREATE INDEX "maintenance_windows_by_service" ON "maintenance_windows" USING btree ("service_id","starts_at");