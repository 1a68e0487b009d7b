CREATE TABLE "connections" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"service" jsonb NOT NULL,
	"secret_sealed" text NOT NULL,
	"header_name" text,
	"label" text,
	"status" text NOT NULL,
	"tools_accepted" jsonb,
	"tools_seen" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "connections_by_account" ON "connections" USING btree ("account_id","created_at");