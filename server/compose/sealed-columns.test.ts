import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'

import { type TestDatabase, silentLog, testDatabase } from '../../scripts/world/database.ts'
import { type KeyAgreement, createKeyAgreement } from '../platform/master-keys.ts'
import { startResealing } from '../platform/resealing.ts'
import { sharedSecret } from '../platform/shared-secrets.ts'
import { type Vault, createVault } from '../platform/vault.ts'
import { sealedColumns } from './sealed-columns.ts'
import { covers } from '../../tests/support/covers.ts'

const oldVault = createVault([randomBytes(32)])
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]

let own: TestDatabase

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own?.drop())

const optionsFor = (vault: Vault) => {
  const { database } = own
  const agreement: KeyAgreement = createKeyAgreement({ database, vault, nodeId: 'own' })
  return { database, vault, log: silentLog, agreement }
}

test('every column that is called sealed is among them', async () => {
  const found = await own.database.sql<{ name: string }[]>`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name LIKE '%sealed'`
  const listed = new Set(sealedColumns.map(({ table, column }) => `${table}.${column}`))
  expect(found.length).toBeGreaterThan(4)
  expect(found.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([])
  // And each of them can be read as it is described here.
  await startResealing(optionsFor(oldVault), sealedColumns).done
})

test('what an older key sealed opens under the first one alone; what nobody can open stays as it was', async () => {
  covers('threat-2')
  const { database } = own
  const before = createVault([oldKey])
  const secrets = new Map<string, Buffer>()
  for (let count = 0; count < 1_100; count++) {
    secrets.set(`secret ${count}`, await sharedSecret(database, before, `secret ${count}`))
  }
  await sharedSecret(database, createVault([randomBytes(32)]), 'lost')
  const readLost = () => database.sql`SELECT sealed FROM shared_secrets WHERE name = 'lost'`
  const lost = [...(await readLost())]

  const warned: unknown[] = []
  const log = { ...silentLog, warn: (_: string, fields?: unknown) => void warned.push(fields) }
  await startResealing({ ...optionsFor(createVault([newKey, oldKey])), log }, sealedColumns).done

  const after = createVault([newKey])
  for (const [name, secret] of secrets) expect(await sharedSecret(database, after, name)).toEqual(secret)
  expect([...(await readLost())]).toEqual(lost)
  expect(warned).toEqual([expect.objectContaining({ table: 'shared_secrets', key: 'lost' })])
})
