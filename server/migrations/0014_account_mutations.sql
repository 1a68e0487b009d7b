CREATE TABLE "account_mutations" (
	"account_id" text PRIMARY KEY NOT NULL,
	"minute_at" timestamp (3) with time zone NOT NULL,
	"in_minute" integer NOT NULL,
	"day_at" timestamp (3) with time zone NOT NULL,
	"in_day" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_mutations" ADD CONSTRAINT "account_mutations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;