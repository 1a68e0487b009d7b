import { expect, test } from 'bun:test'

import { type AddressPolicy, createAddressPolicy } from './address-policy.ts'
import { type Resolve, createCheckedAddresses } from './checked-addresses.ts'
import { EgressError } from './failure.ts'
import { parseTarget } from './target.ts'

const never = new AbortController().signal
const targetOf = (host: string) => parseTarget(`http://${host}/`, { schemes: ['http'], ports: undefined })

function subject(resolve: Resolve, timeoutMs = 1_000, alsoAllowed?: AddressPolicy) {
  let nowMs = 0
  let lookUps = 0
  const counted: Resolve = (host) => {
    lookUps += 1
    return resolve(host)
  }
  const addresses = createCheckedAddresses({
    resolve: counted,
    mayReach: createAddressPolicy(['127.0.0.0/8'], alsoAllowed),
    clock: { now: () => nowMs, monotonic: () => nowMs },
    timeoutMs,
  })
  return {
    ask: (host: string, signal = never) => addresses.of(targetOf(host), { signal }),
    advance: (ms: number) => (nowMs += ms),
    lookUps: () => lookUps,
  }
}

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof EgressError ? error.code : `not refused: ${String(error)}`
}

test('an address is checked without a look-up', async () => {
  const { ask, lookUps } = subject(async () => [])
  expect(await ask('127.0.0.1')).toEqual(['127.0.0.1'])
  expect(await ask('[2606:4700::1111]')).toEqual(['2606:4700::1111'])
  expect(await codeOf(ask('10.0.0.1'))).toBe('ADDRESS')
  expect(lookUps()).toBe(0)
})

test('a resolution is kept for 5 seconds and asked for again afterwards', async () => {
  const answers = [['8.8.8.8'], ['9.9.9.9']]
  const { ask, advance, lookUps } = subject(async () => answers.shift() ?? [])
  expect(await ask('a.test')).toEqual(['8.8.8.8'])
  advance(4_999)
  expect(await ask('a.test')).toEqual(['8.8.8.8'])
  expect(lookUps()).toBe(1)
  advance(1)
  expect(await ask('a.test')).toEqual(['9.9.9.9'])
})

test('a failure and a refusal are kept for 1 second', async () => {
  const answers = [[], ['10.0.0.1'], ['8.8.8.8']]
  const { ask, advance, lookUps } = subject(async () => answers.shift() ?? [])
  expect(await codeOf(ask('a.test'))).toBe('DNS')
  advance(999)
  expect(await codeOf(ask('a.test'))).toBe('DNS')
  expect(lookUps()).toBe(1)
  advance(1)
  expect(await codeOf(ask('a.test'))).toBe('ADDRESS')
  advance(1_000)
  expect(await ask('a.test')).toEqual(['8.8.8.8'])
})

test.each([
  [['8.8.8.8', '10.0.0.1']],
  [['10.0.0.1', '8.8.8.8']],
  [['2606:4700::1111', 'fe80::1']],
  [['8.8.8.8', 'not an address']],
])('one bad address refuses the whole name: %p', async (addresses) => {
  expect(await codeOf(subject(async () => addresses).ask('mixed.test'))).toBe('ADDRESS')
})

test('public and listed addresses may be mixed', async () => {
  expect(await subject(async () => ['8.8.8.8', '127.0.0.2']).ask('mixed.test')).toEqual([
    '8.8.8.8',
    '127.0.0.2',
  ])
})

test('a name is let through and refused as soon as its address is, without another look-up', async () => {
  let isAllowed = false
  const { ask, lookUps } = subject(
    async () => ['10.0.0.5'],
    1_000,
    () => isAllowed,
  )
  expect(await codeOf(ask('a.test'))).toBe('ADDRESS')
  isAllowed = true
  expect(await ask('a.test')).toEqual(['10.0.0.5'])
  isAllowed = false
  expect(await codeOf(ask('a.test'))).toBe('ADDRESS')
  expect(lookUps()).toBe(1)
})

test('simultaneous questions for one name share one look-up', async () => {
  const gate = Promise.withResolvers<string[]>()
  const { ask, lookUps } = subject(() => gate.promise)
  const asked = [ask('a.test'), ask('a.test'), ask('A.TEST.')]
  gate.resolve(['8.8.8.8'])
  expect(await Promise.all(asked)).toEqual([['8.8.8.8'], ['8.8.8.8'], ['8.8.8.8']])
  expect(lookUps()).toBe(1)
})

test('a resolver that fails gives DNS, one that hangs DNS_TIMEOUT', async () => {
  expect(await codeOf(subject(async () => Promise.reject(new Error('SERVFAIL'))).ask('a.test'))).toBe('DNS')
  const hanging = subject(() => Promise.withResolvers<string[]>().promise, 20)
  expect(await codeOf(hanging.ask('a.test'))).toBe('DNS_TIMEOUT')
})

test('a caller who gives up leaves a hanging look-up at once', async () => {
  const controller = new AbortController()
  const { ask } = subject(() => Promise.withResolvers<string[]>().promise, 60_000)
  const asked = codeOf(ask('a.test', controller.signal))
  controller.abort(new EgressError('TIMEOUT'))
  expect(await asked).toBe('TIMEOUT')
})

test('the number of kept names is bounded, the oldest goes first', async () => {
  const { ask, lookUps } = subject(async () => ['8.8.8.8'])
  for (let index = 0; index <= 2_000; index += 1) await ask(`name-${index}.test`)
  await ask('name-1.test')
  expect(lookUps()).toBe(2_001)
  await ask('name-0.test')
  expect(lookUps()).toBe(2_002)
})
