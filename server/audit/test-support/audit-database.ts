import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'

import { testDatabase } from '../../../tests/support/database.ts'
import type { TestDatabase } from '../../../tests/support/database.ts'
import * as tables from '../tables.ts'

const appendOnly = `
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' AND current_setting('gatehouse.restores_backup', true) = 'yes' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'audit events are never changed or removed' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
ALTER TABLE audit_events ENABLE ALWAYS TRIGGER audit_events_append_only;`

/** A test database with the log's table, made here as long as no migration makes it. */
export async function auditDatabase(): Promise<TestDatabase> {
  const test = await testDatabase()
  const [existing] = await test.database.sql`SELECT to_regclass('audit_events') AS name`
  if (existing?.name === null) {
    const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson({ ...tables }))
    await test.database.transaction((sql) => sql.unsafe([...statements, appendOnly].join('\n')))
  }
  return test
}
