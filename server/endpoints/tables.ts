import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/** Endpoints made in the console. Those of the declarative file are never stored: the file is their store. */
export const endpoints = pgTable('endpoints', {
  name: text('name').primaryKey(),
  chain: text('chain').notNull(),
  family: text('family').notNull(), // that of the chain, for as long as the chain is not described any more
  upstreams: text('upstreams').notNull(), // sealed: addresses and headers may hold credentials
  methods: jsonb('methods').notNull(),
  credits: jsonb('credits').notNull(),
  settings: jsonb('settings').notNull().default({}),
  rest: jsonb('rest'), // rules and prices of an endpoint of paths, which older processes could not read
  revision: text('revision').notNull(), // another one with each change
  createdAt: instant('created_at').notNull().defaultNow(),
})
