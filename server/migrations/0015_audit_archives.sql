CREATE TABLE "audit_archives" (
	"month" text PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"hash" text NOT NULL,
	"archived_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- As before, but events that are in a file may be deleted by the one who says that this is it.
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' AND current_setting('gatehouse.restores_backup', true) = 'yes' THEN RETURN NULL; END IF;
  IF TG_OP = 'DELETE' AND current_setting('gatehouse.archives_audit', true) = 'yes' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'audit events are never changed or removed' USING ERRCODE = 'restrict_violation';
END $$;
