import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { Fault } from '../platform/fault.ts'
import { type NodeOptions, author, handClock } from '../keys/test-support/key-world.ts'
import { type QueryKeyNode, keyForm, plainCaller, queryKeyNode } from './test-support/query-key-nodes.ts'
import { hourMs } from '../../shared/durations.ts'
import { covers } from '../../tests/support/covers.ts'

let own: TestDatabase

beforeAll(async () => {
  own = await testDatabase()
})

afterAll(() => own.drop())

const running: QueryKeyNode[] = []

afterEach(() => Promise.all(running.splice(0).map(({ queryKeys }) => queryKeys.stop())))

const clock = handClock()

async function newNode(options: NodeOptions = {}): Promise<QueryKeyNode> {
  const node = await queryKeyNode(own.database, { clock, ...options })
  running.push(node)
  return node
}

/** An account of its own for each test. */
let accounts = 0
const newAuthor = () => author(`acc_${(accounts += 1)}`)

async function refusalOf(work: Promise<unknown>): Promise<Fault> {
  try {
    await work
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('it was not refused')
}

const latestVersion = async (): Promise<number> => {
  const [row] = await own.database.sql<{ version: number }[]>`
    SELECT coalesce(max(version), 0)::float8 AS version FROM key_changes`
  return row?.version ?? 0
}

test('keys are created in order, with one version for all, and each is in the audit log', async () => {
  covers('create-query-keys-answer')
  const { queryKeys, events } = await newNode()
  const anna = newAuthor()
  const before = await latestVersion()
  const inputs = Array.from({ length: 100 }, (_, place) => keyForm({ name: `key ${place}` }))
  const created = await queryKeys.createAll(anna, inputs, null)
  expect(created.map(({ name }) => name)).toEqual(inputs.map(({ name }) => name))
  expect(new Set(created.map(({ key }) => key)).size).toBe(100)
  expect(await latestVersion()).toBe(before + 1)
  expect(events.map(({ subject }) => subject.id)).toEqual(created.map(({ id }) => id))
  for (const { key, url } of created) {
    expect(queryKeys.authorize(key, 'testnet', plainCaller)).toMatchObject({ kind: 'allowed' })
    expect(url).toBe(`https://gatehouse.example/rpc/testnet/${key}`)
  }
  expect(await queryKeys.list(anna.accountId)).toHaveLength(100)
})

test('one bad element: none is created, and each mistake names its element', async () => {
  covers('create-query-keys-all-or-nothing')
  const { queryKeys, events } = await newNode()
  const anna = newAuthor()
  const before = await latestVersion()
  const refused = await refusalOf(
    queryKeys.createAll(anna, [keyForm(), keyForm({ endpoint: 'x' }), keyForm({ type: 'y' })], null),
  )
  expect(refused.code).toBe('invalid_request')
  expect(refused.message).toBe(
    '[1].endpoint: expected one of "mainnet", "testnet"; [2].type: expected one of "freeRPC", "growthRPC"',
  )
  expect(await queryKeys.list(anna.accountId)).toEqual([])
  expect(events).toEqual([])
  expect(await latestVersion()).toBe(before)
})

test('an account that would have too many keys gets none of them', async () => {
  const { queryKeys } = await newNode()
  const anna = newAuthor()
  await own.database.sql`
    INSERT INTO query_keys (id, account_id, name, type, endpoint, allowed_ips, allowed_domains, is_enabled, key_hash,
      key_sealed, hint, created_at)
    SELECT 'old_' || n, ${anna.accountId}, 'old', 'freeRPC', 'testnet', '{}', '{}', true, 'old_' || n, '', '', now()
    FROM generate_series(1, 9999) AS n`
  expect(await refusalOf(queryKeys.createAll(anna, [keyForm(), keyForm()], null))).toMatchObject({
    code: 'conflict',
    message: 'An account has at most 10,000 query keys: delete one first',
  })
  expect(await queryKeys.createAll(anna, [keyForm()], null)).toHaveLength(1)
  await own.database.sql`DELETE FROM query_keys WHERE account_id = ${anna.accountId}`
})

const sevenKeys = () => Promise.resolve(7)

test('the cap of an account is exact, however many processes and batches ask at once', async () => {
  const keyCap = sevenKeys
  const nodes = [await newNode({ keyCap }), await newNode({ keyCap })]
  const anna = newAuthor()
  const attempts = nodes.flatMap(({ queryKeys }) => [
    ...Array.from({ length: 4 }, () => queryKeys.createAll(anna, [keyForm(), keyForm()], null)),
    ...Array.from({ length: 4 }, () => queryKeys.create(anna, keyForm())),
  ])
  const settled = await Promise.allSettled(attempts)
  const made = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])).flat()
  expect(made.length).toBe(7)
  const keys = await nodes[0]?.queryKeys.list(anna.accountId)
  expect(keys).toHaveLength(7)
  for (const one of settled) {
    if (one.status === 'rejected') {
      expect(one.reason).toMatchObject({
        code: 'conflict',
        message: 'An account has at most 7 query keys: delete one first',
      })
    }
  }
})

describe('with an Idempotency-Key', () => {
  covers('create-query-keys-idempotency')
  test('the same request again gets the same answer, in every process, and nothing is created', async () => {
    const [here, there] = [await newNode(), await newNode()]
    const anna = newAuthor()
    const first = await here.queryKeys.createAll(anna, [keyForm(), keyForm({ name: 'b' })], 'one')
    here.installation.endpoints = [] // what was answered once is answered again all the same
    expect(await here.queryKeys.createAll(anna, [keyForm(), keyForm({ name: 'b' })], 'one')).toEqual(first)
    expect(await there.queryKeys.createAll(anna, [keyForm(), keyForm({ name: 'b' })], 'one')).toEqual(first)
    expect(await here.queryKeys.list(anna.accountId)).toHaveLength(2)
    expect(there.events).toEqual([])
  })

  test('another request with it is a conflict, also one that differs in a limit only', async () => {
    const { queryKeys } = await newNode()
    const anna = newAuthor()
    await queryKeys.createAll(anna, [keyForm({ rateLimit: 1, rateLimitPeriod: 'minute' })], 'one')
    const other = queryKeys.createAll(anna, [keyForm({ rateLimit: 2, rateLimitPeriod: 'minute' })], 'one')
    expect(await refusalOf(other)).toMatchObject({ code: 'conflict', retryAfterSec: undefined })
    expect(await queryKeys.list(anna.accountId)).toHaveLength(1)
  })

  test('it belongs to an account', async () => {
    const { queryKeys } = await newNode()
    const [anna, bob] = [newAuthor(), newAuthor()]
    const [annas] = await queryKeys.createAll(anna, [keyForm()], 'one')
    const [bobs] = await queryKeys.createAll(bob, [keyForm()], 'one')
    expect(bobs?.key).not.toBe(annas?.key ?? '')
  })

  test('after a refusal it can be used for the corrected request', async () => {
    const { queryKeys } = await newNode()
    const anna = newAuthor()
    expect((await refusalOf(queryKeys.createAll(anna, [keyForm({ type: 'x' })], 'one'))).code).toBe(
      'invalid_request',
    )
    expect(await queryKeys.createAll(anna, [keyForm()], 'one')).toHaveLength(1)
  })

  test('work that failed half-way left nothing: the repetition does it', async () => {
    let isLogFull = true
    const record = () => (isLogFull ? Promise.reject(new Error('the log is full')) : Promise.resolve())
    const { queryKeys } = await newNode({ record })
    const anna = newAuthor()
    await expect(queryKeys.createAll(anna, [keyForm()], 'one')).rejects.toThrow('the log is full')
    isLogFull = false
    const first = await queryKeys.createAll(anna, [keyForm()], 'one')
    expect(await queryKeys.createAll(anna, [keyForm()], 'one')).toEqual(first)
    expect(await queryKeys.list(anna.accountId)).toHaveLength(1)
  })

  test('while the first is under way, a second is told to come again', async () => {
    const underWay = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const slow = await newNode({
      record: () => {
        underWay.resolve()
        return goOn.promise
      },
    })
    const other = await newNode()
    const anna = newAuthor()
    const first = slow.queryKeys.createAll(anna, [keyForm()], 'one')
    await underWay.promise
    expect(await refusalOf(other.queryKeys.createAll(anna, [keyForm()], 'one'))).toMatchObject({
      code: 'conflict',
      retryAfterSec: 1,
    })
    goOn.resolve()
    const made = await first
    expect(await other.queryKeys.createAll(anna, [keyForm()], 'one')).toEqual(made)
  })

  test('of ten at once one does the work', async () => {
    const nodes = [await newNode(), await newNode()]
    const anna = newAuthor()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, place) =>
        nodes[place % 2]?.queryKeys.createAll(anna, [keyForm()], 'one'),
      ),
    )
    const answers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(answers.length).toBeGreaterThan(0)
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await nodes[0]?.queryKeys.list(anna.accountId)).toHaveLength(1)
  })

  test('after 24 hours it is forgotten, and what was kept is removed', async () => {
    const { queryKeys } = await newNode()
    const anna = newAuthor()
    const first = await queryKeys.createAll(anna, [keyForm()], 'one')
    clock.at += 24 * hourMs - 1
    expect(await queryKeys.createAll(anna, [keyForm()], 'one')).toEqual(first)
    clock.at += 1
    await queryKeys.forgetOldAnswers()
    const [row] = await own.database.sql`SELECT count(*)::int AS count FROM query_key_answers`
    expect(row?.['count']).toBe(0)
    expect(await queryKeys.createAll(anna, [keyForm({ name: 'other' })], 'one')).not.toEqual(first)
  })

  test('neither values of keys nor what the sender chose are stored in plain', async () => {
    covers('threat-1')
    const { queryKeys } = await newNode()
    const [created] = await queryKeys.createAll(newAuthor(), [keyForm()], 'chosen-by-the-sender')
    const rows = await own.database
      .sql`SELECT row_to_json(query_key_answers)::text AS text FROM query_key_answers
      UNION ALL SELECT row_to_json(query_keys)::text FROM query_keys`
    const dump = JSON.stringify(rows)
    expect(dump).not.toInclude('chosen-by-the-sender')
    const secret = created?.key.slice(4, 36) ?? ''
    expect(secret).toHaveLength(32)
    for (const encoding of ['utf8', 'hex', 'base64', 'base64url'] as const) {
      // The ends of a base64 text depend on what stands beside it.
      expect(dump).not.toInclude(Buffer.from(secret.slice(0, 30)).toString(encoding).slice(0, 30))
    }
  })
})
