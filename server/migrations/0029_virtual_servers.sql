CREATE TABLE "virtual_servers" (
	"account_id" text NOT NULL,
	"name" text NOT NULL,
	"spec" text NOT NULL,
	"revision" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "virtual_servers_pkey" PRIMARY KEY("account_id","name")
);
