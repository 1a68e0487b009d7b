import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { type TestDatabase, silentLog, testDatabase, unrecorded } from '../../../scripts/world/database.ts'
import { createKeyReplicas } from '../../keys/key-replicas.ts'
import { hashSecret } from '../../platform/secrets.ts'
import { createTestIdentity, enrollRequestOf } from '../test-support/fixtures.ts'
import { createVirtualClock } from '../test-support/virtual-clock.ts'
import { createEnrolment } from './enrolment.ts'
import { createVerifierStore } from './store.ts'
import { hourMs } from '../../../shared/durations.ts'

let test1: TestDatabase
beforeAll(async () => {
  test1 = await testDatabase()
})
afterAll(() => test1?.drop())

function setUp() {
  const clock = createVirtualClock()
  const { database } = test1
  const store = createVerifierStore(database)
  const replicas = createKeyReplicas({ database, clock, log: silentLog })
  return { clock, store, enrolment: createEnrolment({ database, replicas, store, clock }) }
}

let world: ReturnType<typeof setUp>
beforeEach(async () => {
  await test1.database.run((sql) => sql`TRUNCATE verifiers, verifier_tokens, nodes`)
  world = setUp()
})

const stored = async () => (await world.store.load()).map(({ id }) => id)
const token = async () => (await world.enrolment.createToken('somewhere', unrecorded)).token

describe('a token', () => {
  test('lets one verifier in, which is stored as it described itself', async () => {
    const identity = createTestIdentity()
    const verifier = await world.enrolment.enroll(enrollRequestOf(await token(), identity), unrecorded)
    expect(await world.store.load()).toEqual([verifier])
    expect(verifier).toMatchObject({
      publicKey: identity.publicKey,
      families: ['evm', 'http'],
      lastSeenAt: null,
    })
  })

  test('works once, however many try at the same time', async () => {
    const shared = await token()
    const attempts = Array.from({ length: 20 }, () =>
      world.enrolment.enroll(enrollRequestOf(shared, createTestIdentity()), unrecorded),
    )
    const outcomes = await Promise.allSettled(attempts)
    const enrolled = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.id] : []))
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.code] : [],
    )
    expect(enrolled).toHaveLength(1)
    expect(refused).toEqual(Array.from({ length: 19 }, () => 'unauthorized'))
    expect(await stored()).toEqual(enrolled)
  })

  test('expires after an hour', async () => {
    const { token: late, expiresAt } = await world.enrolment.createToken('late', unrecorded)
    expect(expiresAt).toBe(world.clock.now() + hourMs)
    world.clock.advance(hourMs)
    const refusal = world.enrolment.enroll(enrollRequestOf(late, createTestIdentity()), unrecorded)
    await expect(refusal).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await stored()).toEqual([])
  })

  test('that nobody made is refused', async () => {
    const refusal = world.enrolment.enroll(enrollRequestOf('gvt_guessed', createTestIdentity()), unrecorded)
    await expect(refusal).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('is not in the database', async () => {
    const secret = await token()
    const rows = await test1.database.run((sql) => sql`SELECT * FROM verifier_tokens`)
    expect(rows).toMatchObject([{ token_hash: hashSecret(secret), label: 'somewhere' }])
    expect(JSON.stringify(rows)).not.toContain(secret)
  })
})

test('an enrolment that cannot be recorded does not happen', async () => {
  const good = enrollRequestOf(await token(), createTestIdentity())
  const recorded: unknown[] = []
  const enrol = (isFull: boolean) =>
    world.enrolment.enroll(good, async (_sql, { verifier, token: { label } }) => {
      if (isFull) throw new Error('no room in the log')
      recorded.push([verifier.id, label])
    })
  await expect(enrol(true)).rejects.toThrow('no room in the log')
  expect(await stored()).toEqual([])
  const { id } = await enrol(false)
  expect(await stored()).toEqual([id])
  expect(recorded).toEqual([[id, 'somewhere']])
})

describe('a refused enrolment does not spend the token', () => {
  test.each([
    ['for a proof by another key', 'unauthorized', { proof: createTestIdentity().sign('anything') }],
    ['for a key that is none', 'invalid_request', { publicKey: `${'A'.repeat(43)}B` }],
  ])('%s', async (_, code, changes) => {
    const identity = createTestIdentity()
    const good = enrollRequestOf(await token(), identity)
    await expect(world.enrolment.enroll({ ...good, ...changes }, unrecorded)).rejects.toMatchObject({ code })
    const { id } = await world.enrolment.enroll(good, unrecorded)
    expect(await stored()).toEqual([id])
  })

  test('for a proof for another token', async () => {
    const identity = createTestIdentity()
    const { proof } = enrollRequestOf('gvt_other', identity)
    const good = enrollRequestOf(await token(), identity)
    await expect(world.enrolment.enroll({ ...good, proof }, unrecorded)).rejects.toMatchObject({
      code: 'unauthorized',
    })
    await world.enrolment.enroll(good, unrecorded)
  })

  test('for a key that is enrolled already, even one that was revoked', async () => {
    const identity = createTestIdentity()
    const { id } = await world.enrolment.enroll(enrollRequestOf(await token(), identity), unrecorded)
    await world.enrolment.revoke(id, unrecorded)
    const second = await token()
    const again = await world.enrolment
      .enroll(enrollRequestOf(second, identity), unrecorded)
      .catch((error: unknown) => error)
    expect(again).toMatchObject({ code: 'conflict' })
    await world.enrolment.enroll(enrollRequestOf(second, createTestIdentity()), unrecorded)
    expect(await stored()).toHaveLength(2)
  })
})

test('the built-in verifier needs no token and can probe everything', async () => {
  const { publicKey } = createTestIdentity()
  const verifier = await world.enrolment.enrollBuiltIn(undefined, publicKey, '1')
  expect(verifier).toMatchObject({ isBuiltIn: true, publicKey })
  expect(verifier.families).toContain('solana')
  expect(await stored()).toEqual([verifier.id])
})

describe('progress', () => {
  test('a lower number never replaces a higher one', async () => {
    const { id } = await world.enrolment.enroll(
      enrollRequestOf(await token(), createTestIdentity()),
      unrecorded,
    )
    await world.store.saveProgress([{ id, lastSeq: 2 ** 53 - 1, lastSeenAt: 1_000 }])
    await world.store.saveProgress([{ id, lastSeq: 7, lastSeenAt: 2_000 }])
    expect(await world.store.load()).toMatchObject([{ lastSeq: 2 ** 53 - 1, lastSeenAt: 2_000 }])
  })

  test('of a verifier that is gone is no error', async () => {
    await world.store.saveProgress([{ id: 'ver_gone', lastSeq: 1, lastSeenAt: null }])
    expect(await stored()).toEqual([])
  })
})
