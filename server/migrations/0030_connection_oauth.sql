CREATE TABLE "oauth_away" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"connection_id" text NOT NULL,
	"account_id" text NOT NULL,
	"session_id" text NOT NULL,
	"sealed" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_connections" (
	"connection_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"issuer" text,
	"scopes" text,
	"scopes_wanted" text,
	"tokens_sealed" text,
	"expires_at" timestamp (3) with time zone,
	"consented_at" timestamp (3) with time zone,
	"version" integer DEFAULT 0 NOT NULL,
	"refreshing_until" timestamp (3) with time zone,
	"step_ups" timestamp (3) with time zone[]
);
--> statement-breakpoint
CREATE TABLE "oauth_registrations" (
	"issuer" text PRIMARY KEY NOT NULL,
	"origin" text NOT NULL,
	"client_id" text NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "connections" ALTER COLUMN "secret_sealed" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "kind" text DEFAULT 'secret' NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_away" ADD CONSTRAINT "oauth_away_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_connections" ADD CONSTRAINT "oauth_connections_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("id") ON DELETE cascade ON UPDATE no action;