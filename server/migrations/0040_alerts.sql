CREATE TABLE "alert_channels" (
	"name" text PRIMARY KEY NOT NULL,
	"spec" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_events" (
	"seq" bigserial PRIMARY KEY NOT NULL,
	"service_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"from" text NOT NULL,
	"to" text NOT NULL,
	"reason" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_rules" (
	"name" text PRIMARY KEY NOT NULL,
	"rule" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_silences" (
	"id" text PRIMARY KEY NOT NULL,
	"silence" jsonb NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" text PRIMARY KEY NOT NULL,
	"rule" text NOT NULL,
	"alert" jsonb NOT NULL,
	"fired_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"seq" bigserial NOT NULL,
	"channel" text NOT NULL,
	"target" text,
	"subjects" text[] NOT NULL,
	"content" jsonb NOT NULL,
	"title" text NOT NULL,
	"events" integer NOT NULL,
	"state" text NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"give_up_at" timestamp (3) with time zone NOT NULL,
	"done_at" timestamp (3) with time zone,
	"answer" text
);
--> statement-breakpoint
CREATE TABLE "delivery_attempts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"delivery_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"ok" boolean NOT NULL,
	"answer" text NOT NULL,
	"took_ms" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "planned_maintenance" (
	"name" text PRIMARY KEY NOT NULL,
	"plan" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_delivery_id_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alerts_lasting" ON "alerts" USING btree ("fired_at") WHERE resolved_at IS NULL;--> statement-breakpoint
CREATE INDEX "alerts_resolved" ON "alerts" USING btree ("resolved_at");--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("next_at") WHERE state IN ('waiting', 'gathering');--> statement-breakpoint
CREATE INDEX "deliveries_ahead" ON "deliveries" USING gin ("subjects") WITH (fastupdate=false) WHERE state IN ('waiting', 'gathering');--> statement-breakpoint
CREATE INDEX "deliveries_by_seq" ON "deliveries" USING btree ("seq");--> statement-breakpoint
CREATE INDEX "deliveries_by_channel" ON "deliveries" USING btree ("channel","seq");--> statement-breakpoint
CREATE INDEX "deliveries_done" ON "deliveries" USING btree ("done_at");--> statement-breakpoint
CREATE INDEX "delivery_attempts_by_delivery" ON "delivery_attempts" USING btree ("delivery_id");