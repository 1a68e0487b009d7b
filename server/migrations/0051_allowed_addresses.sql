CREATE TABLE "allowed_addresses" (
	"address" text PRIMARY KEY NOT NULL,
	"name" text,
	"allowed_by" text NOT NULL,
	"allowed_at" timestamp (3) with time zone NOT NULL
);
