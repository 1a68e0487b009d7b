import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { createAccountPlaces } from './account-places.ts'

let own: TestDatabase

beforeAll(async () => {
  own = await testDatabase()
  await own.database.sql`
    INSERT INTO accounts (id, role, created_at, name, email) VALUES
      ('acc_1', 'account', now(), 'Über uns', NULL), ('acc_2', 'account', now(), NULL, 'ÉLAN@example.com'),
      ('acc_3', 'account', now(), NULL, NULL)`
  await own.database.sql`
    INSERT INTO identities (id, kind, subject, account_id, label, linked_at)
    VALUES ('idn_1', 'oidc', 'ЖАННА', 'acc_3', 'Жанна Д', now())`
})

afterAll(() => own.drop())

test.each([
  ['ÜBER', ['acc_1']],
  ['über uns', ['acc_1']],
  ['élan@', ['acc_2']],
  ['oidc:Жанна', ['acc_3']],
  ['жанна д', ['acc_3']],
  ['ACC_2', ['acc_2']],
  ['uber', []],
])('a search for "%s" finds names in any case of letters', async (search, ids) => {
  const places = createAccountPlaces(own.database)
  const found = await places.find({ search, state: undefined, order: 'created', after: null, limit: 5 })
  expect(found.map(({ id }) => id)).toEqual(ids)
})
