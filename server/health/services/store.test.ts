import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'

import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import { createVault } from '../../platform/vault.ts'
import { createServiceStore } from './store.ts'

let own: TestDatabase

beforeAll(async () => {
  own = await testDatabase()
})

afterAll(() => own.drop())

test('a service whose texts an older version took is still read', async () => {
  const store = createServiceStore(own.database, createVault([randomBytes(32)]))
  const spec = {
    id: 'node-a',
    name: 'family \u{1f468}\u200d\u{1f469}',
    family: 'http',
    provider: 'soft\u00adhyphen',
    endpoint: 'http://node.test/',
    rule: { method: 'GET', statuses: [200], contains: 'escape \u001b[0m' },
    policy: {},
  } as const
  await own.database.transaction((sql) =>
    store.save(sql, { ...spec, rule: { ...spec.rule, statuses: [200] } }),
  )
  expect(await store.load()).toEqual([{ ...spec, rule: { ...spec.rule, statuses: [200] }, labels: [] }])
})
