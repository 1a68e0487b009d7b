import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'

import { type TestDatabase, silentLog, testDatabase } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { covers } from '../../tests/support/covers.ts'
import { systemClock } from './clock.ts'
import { MasterKeyProblem, admitMasterKeys, createKeyAgreement, missingKeyIds } from './master-keys.ts'
import { startResealing } from './resealing.ts'
import { sealedSharedSecrets, sharedSecret } from './shared-secrets.ts'
import { type Vault, createVault } from './vault.ts'

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const vaults = {
  old: createVault([oldKey]),
  'old,new': createVault([oldKey, newKey]),
  'new,old': createVault([newKey, oldKey]),
  new: createVault([newKey]),
}
const oldId = vaults.old.keyIds[0]
const newId = vaults.new.keyIds[0]

let own: TestDatabase
beforeAll(async () => {
  own = await testDatabase()
})
beforeEach(async () => {
  await own.database.sql`TRUNCATE master_keys, nodes, shared_secrets`
})
afterAll(() => own?.drop())

const admit = (nodeId: string, vault: Vault, hasOthers = true) =>
  admitMasterKeys({ database: own.database, vault, nodeId, clock: systemClock, hasOthers })

/** As its heartbeat would keep it, for as long as a test takes. */
async function run(nodeId: string, vault: Vault): Promise<void> {
  await admit(nodeId, vault)
  await own.database.sql`UPDATE nodes SET seen_at = now() + interval '1 hour' WHERE id = ${nodeId}`
}

const end = (nodeId: string) => own.database.sql`DELETE FROM nodes WHERE id = ${nodeId}`

const noted = () => missingKeyIds(own.database.sql, [])

function reseal(nodeId: string, vault: Vault) {
  const { database } = own
  const agreement = createKeyAgreement({ database, vault, nodeId })
  return startResealing({ database, vault, log: silentLog, agreement }, [sealedSharedSecrets])
}

describe('a start is refused', () => {
  covers('threat-2')

  test('without the key of the secrets, and the message says which order to follow', async () => {
    await admit('one', vaults.old, false)
    const refusal = admit('two', vaults.new, false)
    await expect(refusal).rejects.toThrow(MasterKeyProblem)
    await expect(admit('two', vaults.new, false)).rejects.toThrow(
      `sealed under the master key ${oldId}, which this process does not have: set GATEHOUSE_MASTER_KEY, or restore ` +
        'private/master-key; to change the master key, start every process with GATEHOUSE_MASTER_KEY=old,new first',
    )
    expect(await noted()).toEqual([oldId])
  })

  test('with a first key that a running process does not have; what is refused leaves nothing', async () => {
    await run('one', vaults.old)
    await expect(admit('two', vaults['new,old'])).rejects.toThrow(
      `1 running process does not have the master key ${newId}, under which this one would seal`,
    )
    expect(await noted()).toEqual([oldId])
    expect(await own.database.sql`SELECT id FROM nodes`).toHaveLength(1)
  }, 15_000)

  test('in a database of a version before, by what its shared secrets say', async () => {
    await sharedSecret(own.database, vaults.old, 'one')
    await expect(admit('two', vaults.new, false)).rejects.toThrow(oldId)
    await admit('two', vaults['new,old'], false)
    expect(await noted()).toEqual([oldId, newId].sort())
  })
})

test('of two that start at once with keys that do not fit, one is refused', async () => {
  const results = await Promise.allSettled([admit('one', vaults.old), admit('two', vaults.new)])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
}, 15_000)

test('a process that was killed a moment ago is waited for, not obeyed', async () => {
  await admit('killed', vaults.old)
  await admit('two', vaults['new,old'])
  expect(await noted()).toEqual([oldId, newId].sort())
}, 15_000)

test('in the right order everything is sealed anew once all seal under the new key, and then the old one may go', async () => {
  await run('one', vaults.old)
  await run('two', vaults.old)
  const secret = await sharedSecret(own.database, vaults.old, 'one')
  for (const nodeId of ['one', 'two']) await run(nodeId, vaults['old,new'])
  await run('one', vaults['new,old'])

  const resealing = reseal('one', vaults['new,old'])
  const agreement = createKeyAgreement({ database: own.database, vault: vaults['new,old'], nodeId: 'one' })
  expect(await agreement.agreedAt()).toBeNull()
  const sealed = () => own.database.sql`SELECT sealed FROM shared_secrets WHERE name = 'one'`
  expect(String((await sealed())[0]?.['sealed'])).not.toStartWith(vaults.new.newestPrefix)
  await expect(admit('three', vaults.new)).rejects.toThrow(oldId)

  await run('two', vaults['new,old'])
  await resealing.done
  expect(await noted()).toEqual([newId])
  await run('one', vaults.new)
  expect(await sharedSecret(own.database, vaults.new, 'one')).toEqual(secret)
  await end('one')
  await end('two')
  await expect(admit('three', vaults.old)).rejects.toThrow(newId)
}, 30_000)

test.each([
  ['old,new', oldId, newId],
  ['new,old', newId, oldId],
] as const)('%s: the log says which key seals, and which only opens', async (order, seals, opens) => {
  await run('one', vaults[order])
  const told: unknown[] = []
  const log = { ...silentLog, info: (message: string, fields?: object) => void told.push([message, fields]) }
  const { database } = own
  const agreement = createKeyAgreement({ database, vault: vaults[order], nodeId: 'one' })
  await startResealing({ database, vault: vaults[order], log, agreement }, []).done
  expect(told).toEqual([
    [expect.stringContaining('the others only open'), { count: 0, seals, onlyOpen: [opens] }],
  ])
})

test('a process that begins to seal under the old key meanwhile keeps it from being forgotten', async () => {
  await admit('one', vaults['old,new'])
  await end('one')
  await run('two', vaults['new,old'])
  const agreement = createKeyAgreement({ database: own.database, vault: vaults['new,old'], nodeId: 'two' })
  const since = (await agreement.agreedAt()) ?? 0
  expect(since).toBeGreaterThan(0)
  await waitUntil('a millisecond passed', async () => ((await agreement.agreedAt()) ?? 0) > since)
  await admit('three', vaults['old,new'])
  await end('three')
  expect(await agreement.forgetOthers(since)).toBe(false)
  expect(await noted()).toEqual([oldId, newId].sort())
  await waitUntil('it is forgotten', async () => agreement.forgetOthers((await agreement.agreedAt()) ?? 0))
})
