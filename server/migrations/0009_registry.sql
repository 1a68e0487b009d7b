CREATE TABLE "registry_snapshots" (
	"id" bigint PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"source" text NOT NULL,
	"rows" integer NOT NULL,
	"content" "bytea" NOT NULL,
	"imported_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registry_sources" (
	"source" text PRIMARY KEY NOT NULL,
	"next_check_at" timestamp (3) with time zone NOT NULL,
	"etag" text,
	"version" text,
	"problem" text
);
