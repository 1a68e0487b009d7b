-- Rules about limits nearly used said keyCredits when credits alone were limited; a rule of that name never fired.
UPDATE "alert_rules"
SET "rule" = jsonb_set("rule" #- '{when,keyCredits}', '{when,keyLimit}', "rule" #> '{when,keyCredits}')
WHERE "rule" -> 'when' ? 'keyCredits';
--> statement-breakpoint
-- The one that is there from the start has another name as well: under the old one it would stand beside the new.
UPDATE "alert_rules" AS old
SET "name" = 'Limit nearly used', "rule" = jsonb_set("rule", '{name}', '"Limit nearly used"')
WHERE old."name" = 'Credits nearly used'
  AND NOT EXISTS (SELECT FROM "alert_rules" WHERE "name" = 'Limit nearly used');
