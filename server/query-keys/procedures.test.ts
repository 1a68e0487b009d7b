import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { QueryKeyView, maxKeyUses } from '../../shared/query-keys.ts'
import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { fault } from '../platform/fault.ts'
import { type CallContext, commandLineContext } from '../trpc/init.ts'
import { queryKeyOperatorProcedures, queryKeyProcedures } from './procedures.ts'
import { type QueryKeyNode, plainCaller, queryKeyNode } from './test-support/query-key-nodes.ts'

let own: TestDatabase
let node: QueryKeyNode

beforeAll(async () => {
  own = await testDatabase()
  node = await queryKeyNode(own.database)
})

afterAll(() => own.drop())

const nobody: CallContext = { ...commandLineContext('request-1'), isOperator: false }

const signedIn = (id: string, isFresh = false): CallContext => ({
  ...nobody,
  account: { id, role: 'account', isApproved: true, label: `wallet of ${id}` },
  session: { id: 'ses_1', isFresh, freshUntil: isFresh ? Date.UTC(2030, 0, 1) : 0 },
  caller: { address: '192.0.2.1', origin: null },
})

const asOwner = (context: CallContext) => queryKeyProcedures(node.queryKeys).createCaller(context)
const namesOf = async () => new Map([['acc_anna', 'Anna']])
const asOperator = (context: CallContext) =>
  queryKeyOperatorProcedures(
    node.queryKeys,
    async (account) => {
      if (account !== '0xAnna') throw fault('not_found', 'There is no such account')
      return 'acc_anna'
    },
    namesOf,
  ).createCaller(context)

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  )

const good = { name: 'wallet', endpoint: 'testnet' }

test('an owner makes, edits, rotates and deletes a key', async () => {
  const mine = asOwner(signedIn('acc_anna'))
  const { key, value } = await mine.create({ ...good, expiresAt: '2030-01-01T00:00:00Z' })
  expect(QueryKeyView.parse(key)).toEqual(key)
  await mine.update({ id: key.id, name: 'renamed', rateLimit: 5, rateLimitPeriod: 'minute' })
  expect((await mine.list()).find(({ id }) => id === key.id)).toMatchObject({
    name: 'renamed',
    endpoint: 'testnet',
    rate: { units: 5, period: 'minute' },
    expiresAt: null,
  })
  expect((await mine.setEnabled({ id: key.id, isEnabled: false })).key.state).toBe('disabled')
  await mine.setEnabled({ id: key.id, isEnabled: true })
  const rotated = await mine.rotate({ id: key.id })
  expect(rotated.value).not.toBe(value)
  expect(node.queryKeys.authorize(rotated.value, 'testnet', plainCaller)).toMatchObject({ kind: 'allowed' })
  expect(await mine.delete({ id: key.id })).toEqual({ propagated: true })
  expect(node.events.at(-1)).toMatchObject({
    actor: { id: 'acc_anna', label: 'wallet of acc_anna' },
    ip: '192.0.2.1',
    requestId: 'request-1',
  })
})

test('half a limit and an endpoint in an edit are refused', async () => {
  const mine = asOwner(signedIn('acc_anna'))
  const { key } = await mine.create(good)
  expect(await codeOf(mine.create({ ...good, rateLimit: 5 }))).toBe('UNPROCESSABLE_CONTENT')
  expect(await codeOf(mine.update({ id: key.id, name: 'x', creditsLimitPeriod: 'day' }))).toBe(
    'UNPROCESSABLE_CONTENT',
  )
  const moved = { id: key.id, name: 'x', endpoint: 'mainnet' }
  expect(await codeOf(mine.update(moved))).toBe('UNPROCESSABLE_CONTENT')
})

test('a value is shown again only after a fresh sign-in, and only to its owner', async () => {
  const { key, value, url } = await asOwner(signedIn('acc_anna')).create(good)
  expect(await codeOf(asOwner(signedIn('acc_anna')).reveal({ id: key.id }))).toBe('UNAUTHORIZED')
  expect(await codeOf(asOwner(signedIn('acc_bob', true)).reveal({ id: key.id }))).toBe('NOT_FOUND')
  expect(await asOwner(signedIn('acc_anna', true)).reveal({ id: key.id })).toEqual({ value, url })
})

describe('the use of limits', () => {
  const use = { rateUsed: 64, creditsUsed: null }

  test('is told of the keys that are asked about, as far as it is known', async () => {
    const mine = asOwner(signedIn('acc_anna'))
    const [asked, other, unknown] = [
      await mine.create(good),
      await mine.create(good),
      await mine.create(good),
    ]
    for (const { key } of [asked, other]) node.installation.limitsUses.set(key.id, use)
    const ids = [asked.key.id, unknown.key.id, 'qkey_nowhere']
    expect(await mine.uses({ ids })).toEqual([{ keyId: asked.key.id, ...use }])
    expect(await mine.uses({ ids: [] })).toEqual([])
  })

  test('is told to the owner only, and of a bounded number at once', async () => {
    const { key } = await asOwner(signedIn('acc_anna')).create(good)
    node.installation.limitsUses.set(key.id, use)
    expect(await asOwner(signedIn('acc_bob')).uses({ ids: [key.id] })).toEqual([])
    const ids = Array.from({ length: maxKeyUses + 1 }, () => key.id)
    expect(await codeOf(asOwner(signedIn('acc_anna')).uses({ ids }))).toBe('UNPROCESSABLE_CONTENT')
  })
})

describe('nobody else', () => {
  const id = 'qkey_1'
  const calls: [name: string, call: (context: CallContext) => Promise<unknown>][] = [
    ['list', (context) => asOwner(context).list()],
    ['uses', (context) => asOwner(context).uses({ ids: [id] })],
    ['create', (context) => asOwner(context).create(good)],
    ['update', (context) => asOwner(context).update({ id, name: 'x' })],
    ['setEnabled', (context) => asOwner(context).setEnabled({ id, isEnabled: true })],
    ['delete', (context) => asOwner(context).delete({ id })],
    ['rotate', (context) => asOwner(context).rotate({ id })],
    ['reveal', (context) => asOwner(context).reveal({ id })],
  ]
  test.each(calls)('%s needs somebody who signed in', async (_name, call) => {
    expect(await codeOf(call(nobody))).toBe('UNAUTHORIZED')
    expect(await codeOf(call(commandLineContext('request-1')))).toBe('UNAUTHORIZED')
  })

  const account = '0xAnna'
  const operatorCalls: [name: string, call: (context: CallContext) => Promise<unknown>][] = [
    ['list', (context) => asOperator(context).list({ account })],
    ['create', (context) => asOperator(context).create({ account, ...good })],
    ['setEnabled', (context) => asOperator(context).setEnabled({ account, id, isEnabled: true })],
    ['delete', (context) => asOperator(context).delete({ account, id })],
    ['rotate', (context) => asOperator(context).rotate({ account, id })],
  ]
  test.each(operatorCalls)('%s of any account needs an operator', async (_name, call) => {
    expect(await codeOf(call(signedIn('acc_anna', true)))).toBe('FORBIDDEN')
  })
})

test('an operator acts on keys of an account, and the log says who it was', async () => {
  const operator = asOperator(commandLineContext('request-2'))
  const { key, value } = await operator.create({ account: '0xAnna', ...good })
  expect((await operator.list({ account: '0xAnna' })).map(({ id }) => id)).toContain(key.id)
  await operator.setEnabled({ account: '0xAnna', id: key.id, isEnabled: false })
  expect(node.queryKeys.authorize(value, 'testnet', plainCaller)).toMatchObject({ why: 'disabled' })
  await operator.delete({ account: '0xAnna', id: key.id })
  expect(node.events.at(-1)).toMatchObject({ actor: { id: 'cli', label: 'Command line' }, ip: null })
  expect(await codeOf(operator.list({ account: '0xNobody' }))).toBe('NOT_FOUND')
})
