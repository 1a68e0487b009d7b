import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'

import { type TestDatabase, silentLog, testDatabase } from '../../scripts/world/database.ts'
import { type Database, openDatabase } from './database.ts'
import { sharedSecret } from './shared-secrets.ts'
import { createVault } from './vault.ts'

const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url))
const oldKey = randomBytes(32)
const newKey = randomBytes(32)
const vault = createVault([oldKey])

let own: TestDatabase
let other: Database

beforeAll(async () => {
  own = await testDatabase()
  other = await openDatabase({ url: own.url, dataDir: '', log: silentLog, migrationsFolder })
})
afterAll(async () => {
  await other?.close()
  await own?.drop()
})

test('processes that start at once on one database agree, and on nothing that anybody else has', async () => {
  const asked = Array.from({ length: 20 }, (_, index) =>
    sharedSecret(index % 2 === 0 ? own.database : other, vault, 'first'),
  )
  const secrets = await Promise.all(asked)
  expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1)
  expect(secrets[0]).toHaveLength(32)
  expect(await sharedSecret(other, vault, 'second')).not.toEqual(secrets[0])
  const elsewhere = await testDatabase()
  try {
    expect(await sharedSecret(elsewhere.database, vault, 'first')).not.toEqual(secrets[0])
  } finally {
    await elsewhere.drop()
  }
})

test('it outlives a change of the master key, and is not to be had without one', async () => {
  const secret = await sharedSecret(own.database, vault, 'third')
  const rotated = createVault([newKey, oldKey])
  expect(await sharedSecret(other, rotated, 'third')).toEqual(secret)
  await expect(sharedSecret(other, createVault([newKey]), 'third')).rejects.toThrow('another master key')
  const rows = await own.database.sql`SELECT row_to_json(s)::text AS row FROM shared_secrets s`
  for (const form of ['hex', 'base64', 'base64url', 'latin1'] as const) {
    expect(JSON.stringify(rows)).not.toContain(secret.toString(form))
  }
})

test('a secret that was moved under another name does not open', async () => {
  await sharedSecret(own.database, vault, 'fourth')
  await own.database.sql`UPDATE shared_secrets SET name = 'fifth' WHERE name = 'fourth'`
  await expect(sharedSecret(own.database, vault, 'fifth')).rejects.toThrow()
})
