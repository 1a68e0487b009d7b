CREATE TABLE "gateway_session_owners" (
	"session" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "gateway_session_owners_expires_at" ON "gateway_session_owners" USING btree ("expires_at");