CREATE TABLE "custom_chains" (
	"key" text PRIMARY KEY NOT NULL,
	"chain" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
