CREATE TABLE "status_announcements" (
	"id" text PRIMARY KEY NOT NULL,
	"page" text NOT NULL,
	"content" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"reached" text DEFAULT '' NOT NULL,
	"done_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "status_subscribers" (
	"id" text PRIMARY KEY NOT NULL,
	"page" text NOT NULL,
	"kind" text NOT NULL,
	"target" text NOT NULL,
	"address_hash" text NOT NULL,
	"place_hash" text NOT NULL,
	"unsubscribe_hash" text NOT NULL,
	"confirm_hash" text,
	"confirmed_at" timestamp (3) with time zone,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"asks" integer NOT NULL,
	"gone_since" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "status_announcements_by_page" ON "status_announcements" USING btree ("page","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "status_subscribers_by_address" ON "status_subscribers" USING btree ("page","kind","address_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "status_subscribers_by_unsubscribe" ON "status_subscribers" USING btree ("unsubscribe_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "status_subscribers_by_confirm" ON "status_subscribers" USING btree ("confirm_hash");--> statement-breakpoint
CREATE INDEX "status_subscribers_by_place" ON "status_subscribers" USING btree ("place_hash");--> statement-breakpoint
CREATE INDEX "status_subscribers_by_page" ON "status_subscribers" USING btree ("page","id");