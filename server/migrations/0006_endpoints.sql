CREATE TABLE "endpoints" (
	"name" text PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"family" text NOT NULL,
	"upstreams" text NOT NULL,
	"methods" jsonb NOT NULL,
	"credits" jsonb NOT NULL,
	"revision" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
