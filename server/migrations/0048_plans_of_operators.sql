CREATE TABLE "plans" (
	"name" text PRIMARY KEY NOT NULL,
	"plan" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
