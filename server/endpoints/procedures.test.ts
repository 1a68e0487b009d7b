import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase, unrecorded } from '../../scripts/world/database.ts'
import { type CallContext, commandLineContext } from '../trpc/init.ts'
import { endpointProcedures } from './procedures.ts'
import { type TestEndpoints, type TestWorld, createTestWorld } from './test-support/endpoints-under-test.ts'

let own: TestDatabase
let world: TestWorld
let endpoints: TestEndpoints

beforeAll(async () => {
  own = await testDatabase()
  world = createTestWorld()
  world.putService('node-a')
  endpoints = await world.start(own.database)
  await endpoints.apply({
    endpoints: [{ name: 'testnet', chain: 'testnet', upstreams: [{ service: 'node-a' }] }],
  })
})

afterAll(async () => {
  await endpoints?.stop()
  await own?.drop()
})

const operator = commandLineContext('request-1')
const nobody: CallContext = { ...operator, isOperator: false }
const member: CallContext = {
  ...nobody,
  account: { id: 'acc_anna', role: 'account', isApproved: true, label: 'Anna' },
}

const as = (context: CallContext) => endpointProcedures(endpoints, unrecorded).createCaller(context)
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  )

test('an operator learns how many query keys are for an endpoint, of the file as well', async () => {
  world.keys = 3
  expect(await as(operator).keyCount({ name: 'testnet' })).toBe(3)
  expect(await codeOf(as(operator).keyCount({ name: 'nowhere' }))).toBe('NOT_FOUND')
})

describe('what concerns upstreams', () => {
  const name = 'testnet'
  const calls: [call: string, run: (context: CallContext) => Promise<unknown>][] = [
    ['list', (context) => as(context).list()],
    ['details', (context) => as(context).details({ name })],
    ['keyCount', (context) => as(context).keyCount({ name })],
    ['remove', (context) => as(context).remove({ name })],
    ['test', (context) => as(context).test({ name })],
  ]
  test.each(calls)('%s needs an operator', async (_call, run) => {
    for (const context of [member, nobody]) expect(await codeOf(run(context))).toBe('FORBIDDEN')
  })
})

test('everybody who is a member sees what a key can be for', async () => {
  const { endpoints: offered } = await as(member).choices()
  expect(offered.map((endpoint) => endpoint.name)).toEqual(['testnet'])
  expect(await codeOf(as(nobody).choices())).toBe('UNAUTHORIZED')
})
