CREATE TABLE "tool_servers" (
	"url" text PRIMARY KEY NOT NULL,
	"service_id" text NOT NULL,
	"name" text NOT NULL,
	"challenged_at" timestamp (3) with time zone,
	"changed_at" timestamp (3) with time zone,
	"tools_accepted" jsonb,
	"tools_seen" jsonb,
	"definitions" text DEFAULT '{}' NOT NULL
);
