CREATE TABLE "upstream_budget_writers" (
	"id" text PRIMARY KEY NOT NULL,
	"batch" bigint NOT NULL,
	"written_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
