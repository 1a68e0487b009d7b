import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { ApiKeyView } from '../../shared/api-keys.ts'
import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { fault } from '../platform/fault.ts'
import { type CallContext, commandLineContext } from '../trpc/init.ts'
import { apiKeyOperatorProcedures, apiKeyProcedures } from './procedures.ts'
import { type KeyNode, keyNode, ordinaryAccount, plainUse } from './test-support/key-nodes.ts'

let own: TestDatabase
let node: KeyNode

beforeAll(async () => {
  own = await testDatabase()
  node = await keyNode(own.database)
})

afterAll(() => own.drop())

const nobody: CallContext = { ...commandLineContext('request-1'), isOperator: false }

const signedIn = (id: string, isFresh = false): CallContext => ({
  ...nobody,
  account: { id, role: 'account', isApproved: true, label: `wallet of ${id}` },
  session: { id: 'ses_1', isFresh, freshUntil: isFresh ? Date.UTC(2030, 0, 1) : 0 },
  caller: { address: '192.0.2.1', origin: null },
})

const asOwner = (context: CallContext) => apiKeyProcedures(node.apiKeys).createCaller(context)
const namesOf = async () => new Map([['acc_anna', 'Anna']])
const asOperator = (context: CallContext) =>
  apiKeyOperatorProcedures(
    node.apiKeys,
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

test('only an operator makes a key with Installation, or one that has it later', async () => {
  const permissions = ['installation' as const]
  const stranger = asOwner(signedIn(ordinaryAccount))
  expect(await codeOf(stranger.create({ name: 'x', permissions }))).toBe('UNPROCESSABLE_CONTENT')
  const { key } = await stranger.create({ name: 'x' })
  expect(await codeOf(stranger.update({ id: key.id, name: 'x', permissions }))).toBe('UNPROCESSABLE_CONTENT')
  expect(await stranger.list()).toMatchObject([{ permissions: [] }])
  expect(await codeOf(asOwner(signedIn('acc_boss')).create({ name: 'x', permissions }))).toBe('done')
})

test('an owner makes, edits, rotates and deletes a key', async () => {
  const mine = asOwner(signedIn('acc_anna'))
  const { key, value } = await mine.create({ name: 'CI', expiresAt: '2030-01-01T00:00:00Z' })
  expect(ApiKeyView.parse(key)).toEqual(key)
  await mine.update({ id: key.id, name: 'renamed', permissions: ['token_create'] })
  expect((await mine.list()).find(({ id }) => id === key.id)).toMatchObject({
    name: 'renamed',
    expiresAt: null,
  })
  expect((await mine.setEnabled({ id: key.id, isEnabled: false })).key.state).toBe('disabled')
  await mine.setEnabled({ id: key.id, isEnabled: true })
  const rotated = await mine.rotate({ id: key.id })
  expect(rotated.value).not.toBe(value)
  expect((await node.apiKeys.authorize(rotated.value, plainUse)).kind).toBe('allowed')
  expect(await mine.delete({ id: key.id })).toEqual({ propagated: true })
  expect(node.events.at(-1)).toMatchObject({
    actor: { id: 'acc_anna', label: 'wallet of acc_anna' },
    ip: '192.0.2.1',
    requestId: 'request-1',
  })
})

test('a value is shown again only after a fresh sign-in, and only to its owner', async () => {
  const { key, value } = await asOwner(signedIn('acc_anna')).create({ name: 'CI' })
  expect(await codeOf(asOwner(signedIn('acc_anna')).reveal({ id: key.id }))).toBe('UNAUTHORIZED')
  expect(await codeOf(asOwner(signedIn('acc_bob', true)).reveal({ id: key.id }))).toBe('NOT_FOUND')
  expect(await asOwner(signedIn('acc_anna', true)).reveal({ id: key.id })).toEqual({ value })
})

describe('nobody else', () => {
  const id = 'key_1'
  const calls: [name: string, call: (context: CallContext) => Promise<unknown>][] = [
    ['list', (context) => asOwner(context).list()],
    ['create', (context) => asOwner(context).create({ name: 'x' })],
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

  const operatorCalls: [name: string, call: (context: CallContext) => Promise<unknown>][] = [
    ['list', (context) => asOperator(context).list({ account: '0xAnna' })],
    ['page', (context) => asOperator(context).page({})],
    ['create', (context) => asOperator(context).create({ account: '0xAnna', name: 'x' })],
    ['setEnabled', (context) => asOperator(context).setEnabled({ account: '0xAnna', id, isEnabled: true })],
    ['delete', (context) => asOperator(context).delete({ account: '0xAnna', id })],
  ]
  test.each(operatorCalls)('%s of any account needs an operator', async (_name, call) => {
    expect(await codeOf(call(signedIn('acc_anna', true)))).toBe('FORBIDDEN')
  })
})

test('an operator acts on keys of an account, and the log says who it was', async () => {
  const operator = asOperator(commandLineContext('request-2'))
  const { key, value } = await operator.create({ account: '0xAnna', name: 'by the operator' })
  expect((await operator.list({ account: '0xAnna' })).map(({ id }) => id)).toContain(key.id)
  expect((await asOwner(signedIn('acc_anna')).list()).map(({ id }) => id)).toContain(key.id)
  const found = await operator.page({ search: 'THE operator' })
  expect(found).toMatchObject({
    keys: [{ id: key.id, owner: { id: 'acc_anna', name: 'Anna' } }],
    nextCursor: null,
  })
  await operator.setEnabled({ account: '0xAnna', id: key.id, isEnabled: false })
  expect(await node.apiKeys.authorize(value, plainUse)).toEqual({ kind: 'invalid', why: 'disabled' })
  await operator.delete({ account: '0xAnna', id: key.id })
  expect(node.events.at(-1)).toMatchObject({ actor: { id: 'cli', label: 'Command line' }, ip: null })
  expect(await codeOf(operator.list({ account: '0xNobody' }))).toBe('NOT_FOUND')
})
