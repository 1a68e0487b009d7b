CREATE TABLE "status_incidents" (
	"id" text PRIMARY KEY NOT NULL,
	"page" text NOT NULL,
	"content" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "status_pages" (
	"page" text PRIMARY KEY NOT NULL,
	"spec" text NOT NULL,
	"revision" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "status_incidents_by_page" ON "status_incidents" USING btree ("page","starts_at");