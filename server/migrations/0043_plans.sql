ALTER TABLE "accounts" ADD COLUMN "plan" text;--> statement-breakpoint
CREATE INDEX "accounts_by_creation" ON "accounts" USING btree ("created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "accounts_by_last_seen" ON "accounts" USING btree ("last_seen_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "accounts_by_calls" ON "accounts" USING btree ("recent_calls" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "accounts_by_credits" ON "accounts" USING btree ("recent_credits" DESC NULLS LAST,"id");