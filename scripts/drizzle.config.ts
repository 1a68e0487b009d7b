import { defineConfig } from 'drizzle-kit'

/** `drizzle-kit generate --config scripts/drizzle.config.ts` writes the next migration from the tables. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './server/*/tables.ts',
  out: './server/migrations',
})
