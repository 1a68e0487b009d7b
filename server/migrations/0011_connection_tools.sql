CREATE TABLE "connection_tools" (
	"connection_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"definition" text NOT NULL,
	CONSTRAINT "connection_tools_pkey" PRIMARY KEY("connection_id","fingerprint")
);
--> statement-breakpoint
ALTER TABLE "connection_tools" ADD CONSTRAINT "connection_tools_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("id") ON DELETE cascade ON UPDATE no action;