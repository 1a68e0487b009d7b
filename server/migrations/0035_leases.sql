CREATE TABLE "leases" (
	"name" text NOT NULL,
	"shard" integer NOT NULL,
	"holder" text NOT NULL,
	"epoch" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "leases_pkey" PRIMARY KEY("name","shard")
);
