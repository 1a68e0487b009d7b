CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"name" text,
	"email" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"label" text,
	"linked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "identities_kind_subject" UNIQUE("kind","subject")
);
--> statement-breakpoint
CREATE TABLE "oauth_states" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"pre_auth_hash" text NOT NULL,
	"provider" text NOT NULL,
	"code_verifier" text NOT NULL,
	"purpose" text NOT NULL,
	"account_id" text,
	"return_to" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "setup_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_nonces" (
	"nonce_hash" text PRIMARY KEY NOT NULL,
	"pre_auth_hash" text NOT NULL,
	"message_hash" text NOT NULL,
	"purpose" text NOT NULL,
	"account_id" text,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "web_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"secret_hash" text NOT NULL,
	"account_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"signed_in_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"browser" text NOT NULL,
	"network" text,
	CONSTRAINT "web_sessions_secret_hash_unique" UNIQUE("secret_hash")
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text NOT NULL,
	"actor_label" text NOT NULL,
	"action" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"ip" text,
	"request_id" text,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "web_sessions" ADD CONSTRAINT "web_sessions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "identities_by_account" ON "identities" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "web_sessions_by_account" ON "web_sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "audit_events_by_actor" ON "audit_events" USING btree ("actor","seq");--> statement-breakpoint
CREATE INDEX "audit_events_by_action" ON "audit_events" USING btree ("action","seq");--> statement-breakpoint
CREATE INDEX "audit_events_by_subject" ON "audit_events" USING btree ("subject_kind","subject_id","seq");--> statement-breakpoint
CREATE INDEX "audit_events_by_time" ON "audit_events" USING btree ("at");