import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { hourMs } from '../../shared/durations.ts'
import { isGap } from '../../shared/request-log.ts'
import { createFeedBuffer } from './live-requests.ts'
import type { RequestLog } from './request-log.ts'
import { finished, type LogUnderTest, requestLogUnderTest } from './test-support/request-log-under-test.ts'

let folder: string
let under: LogUnderTest
let requests: RequestLog

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-requests-'))
  under = requestLogUnderTest(folder)
  requests = await under.open()
})
afterEach(async () => {
  await requests.stop()
  rmSync(folder, { recursive: true, force: true })
})

const failure = (method: string) =>
  finished({ method, class: 'no-answer', status: 502, credits: 0, attempts: [] })

const methodsOf = async (query = {}, accountId: string | null = 'acc_1') =>
  (await requests.list(accountId, query)).requests.map((each) => (isGap(each) ? 'gap' : each.method))

const segments = (accountId = 'acc_1') => readdirSync(join(folder, accountId)).toSorted()

async function reopen(): Promise<void> {
  await requests.stop()
  requests = await under.open()
}

describe('what was logged', () => {
  test('is there at once and after a restart, the newest first, and holds what the relay said', async () => {
    requests.add(finished({ method: 'first' }))
    under.at += 1
    requests.add(failure('second'))
    expect(await methodsOf()).toEqual(['second', 'first'])
    await reopen()
    expect(await methodsOf()).toEqual(['second', 'first'])
    const [, first] = (await requests.list('acc_1', {})).requests
    expect(first).toEqual({
      id: expect.any(String),
      accountId: 'acc_1',
      at: under.at - 1,
      keyId: 'key-1',
      endpoint: 'testnet',
      method: 'first',
      calls: 1,
      class: 'answer',
      status: 200,
      ms: 12.35,
      attempts: [{ upstream: 'node-a', class: 'answer', ms: 12.3, from: 0.04 }],
      bytesIn: 100,
      bytesOut: 200,
      credits: 20,
      requestId: 'req_1',
      weight: 1,
    })
  })

  test('of one account is not shown to another; operators see all', async () => {
    requests.add(finished({ method: 'mine' }))
    requests.add(finished({ method: 'theirs' }, 'acc_2'))
    expect(await methodsOf()).toEqual(['mine'])
    expect(await methodsOf({}, 'acc_2')).toEqual(['theirs'])
    expect((await methodsOf({}, null)).toSorted()).toEqual(['mine', 'theirs'])
  })

  test('comes in pages without a gap or a repetition, over all segments', async () => {
    requests = await requestLogUnderTest(folder, { segmentBytes: 1_000 }).open()
    for (let index = 0; index < 30; index++) {
      requests.add(index % 3 === 0 ? failure(`m${index}`) : finished({ method: `m${index}` }))
      if (index % 4 === 0) await requests.write()
    }
    const seen: (string | null)[] = []
    for (let before: string | null | undefined; before !== null;) {
      const page = await requests.list('acc_1', { limit: 7, ...(before !== undefined && { before }) })
      seen.push(...page.requests.map((each) => (isGap(each) ? null : each.method)))
      before = page.nextCursor
    }
    expect(seen).toEqual(Array.from({ length: 30 }, (_, index) => `m${29 - index}`))
    expect(segments().length).toBeGreaterThan(5)
  })

  test('is found by what it is; counts stand for what was skipped, too', async () => {
    requests.add(
      finished({
        key: { id: 'key-2', accountId: 'acc_1', endpoint: 'other', debugEndsAt: null },
        method: 'a',
      }),
    )
    requests.add(failure('b'))
    requests.add(finished({ class: 'rate-limit', status: 429, method: 'c', requestId: 'req_9' }))
    expect(await methodsOf({ keyId: 'key-2' })).toEqual(['a'])
    expect(await methodsOf({ endpoint: 'other' })).toEqual(['a'])
    expect(await methodsOf({ group: 'failed' })).toEqual(['b'])
    expect(await methodsOf({ upstream: 'node-a' })).toEqual(['c', 'a'])
    expect(await methodsOf({ upstream: 'node-b' })).toEqual([])
    expect(await methodsOf({ status: 429 })).toEqual(['c'])
    expect(await methodsOf({ requestId: 'req_9' })).toEqual(['c'])
    expect(await methodsOf({ from: under.at + 1 })).toEqual([])
    expect(await methodsOf({ to: under.at })).toEqual([])
    for (let index = 0; index < 1_000; index++) requests.add(finished({ method: 'many' }))
    expect((await methodsOf({ method: 'many' })).length).toBeLessThan(150)
    const counts = await requests.counts('acc_1', { from: under.at - hourMs }, under.at)
    const sum = (group: 'answered' | 'failed' | 'refused') =>
      counts.reduce((all, count) => all + count[group], 0)
    expect(sum('failed')).toBe(1)
    expect(sum('refused')).toBe(1)
    expect(sum('answered')).toBeGreaterThan(990)
  })

  test('parameters are kept of a key whose owner wants it, and not a moment longer', async () => {
    const entries = [{ method: 'eth_call', params: '["0x1"]' }]
    const debugged = (debugEndsAt: number | null) =>
      finished({ key: { id: 'key-1', accountId: 'acc_1', endpoint: 'testnet', debugEndsAt }, entries })
    for (const endsAt of [null, under.at, under.at + 1]) requests.add(debugged(endsAt))
    const { requests: kept } = await requests.list('acc_1', {})
    expect(kept.map((each) => ('params' in each ? each.params : null))).toEqual(['["0x1"]', null, null])
  })

  test('an attempt that was made for another request is told as that, from the beginning of this one', async () => {
    const attempt = { upstream: 'node', class: 'answer', ms: 9, isShared: true } as const
    requests.add(finished({ startedAt: 1_004, attempts: [{ ...attempt, startedAt: 1_000 }] }))
    expect((await requests.list('acc_1', {})).requests).toMatchObject([
      { attempts: [{ ...attempt, from: 0 }] },
    ])
  })

  test('a request that a second node had to answer is not lost among many plain answers', async () => {
    const attempts = ['node-failure', 'answer'].map((name) => ({
      upstream: 'node',
      class: name,
      ms: 1,
      startedAt: 1_000,
    }))
    for (let index = 0; index < 95; index++) requests.add(finished())
    requests.add(finished({ method: 'mended', attempts }))
    expect(await methodsOf({ method: 'mended' })).toEqual(['mended'])
  })

  test('a cursor that is none is refused', () =>
    expect(requests.list('acc_1', { before: 'x' })).rejects.toMatchObject({ code: 'invalid_request' }))
})

test('a torn last line is skipped, and later requests are not glued to it', async () => {
  requests.add(finished({ method: 'whole' }))
  await requests.write()
  appendFileSync(join(folder, 'acc_1', segments()[0] ?? ''), '{"id":"torn","at":17')
  requests = await under.open() // as after a kill: the first log was not stopped
  requests.add(finished({ method: 'later' }))
  expect((await methodsOf()).toSorted()).toEqual(['later', 'whole'])
})

test('after a day nothing is shown, and after the hours of a segment nothing is stored', async () => {
  requests.add(failure('old'))
  await requests.write()
  under.at += 24 * hourMs + 1
  requests.add(failure('new'))
  expect(await methodsOf()).toEqual(['new'])
  under.at += 4 * hourMs
  await requests.clean()
  expect(segments()).toHaveLength(1)
})

test('files stay within their size: the oldest ones go', async () => {
  requests = await requestLogUnderTest(folder, {
    segmentBytes: 2_000,
    kindBytes: { answers: 6_000, failures: 6_000 },
  }).open()
  for (let index = 0; index < 100; index++) {
    requests.add(failure(`m${index}`))
    await requests.write()
  }
  await requests.clean()
  const methods = await methodsOf()
  expect(methods[0]).toBe('m99')
  expect(methods.length).toBeGreaterThan(10)
  expect(methods.length).toBeLessThan(30)
})

test('requests of a deleted key leave the files, others stay', async () => {
  under.keys.add('key-2')
  requests.add(
    finished({
      key: { id: 'key-2', accountId: 'acc_1', endpoint: 'testnet', debugEndsAt: null },
      method: 'goes',
    }),
  )
  requests.add(finished({ method: 'stays' }))
  await requests.clean()
  expect(await methodsOf()).toHaveLength(2)
  under.keys.delete('key-2')
  requests.keysDeleted()
  await requests.clean()
  expect(await methodsOf()).toEqual(['stays'])
  under.keys.clear()
  requests.keysDeleted()
  await requests.clean()
  expect(readdirSync(folder)).toEqual([])
})

test('what cannot be written is told as a gap once there is room, and nobody waits or fails', async () => {
  writeFileSync(join(folder, 'acc_1'), 'in the way') // so that the account has no folder
  requests.add(failure('lost'))
  await requests.write()
  rmSync(join(folder, 'acc_1'))
  under.at += 1
  requests.add(failure('kept'))
  const page = await requests.list('acc_1', {})
  expect(page.requests.map((each) => (isGap(each) ? each.notKept : each.method))).toEqual([1, 'kept'])
})

test('followers get what matches, of their account alone, until they leave', async () => {
  const seen: unknown[] = []
  const leave = requests.follow('acc_1', { group: 'failed' }, (some) => seen.push(...some))
  requests.add(failure('b'))
  requests.add(finished({ method: 'a' }))
  requests.add({
    ...failure('c'),
    key: { id: 'key-9', accountId: 'acc_2', endpoint: 'testnet', debugEndsAt: null },
  })
  await requests.write()
  expect(seen).toMatchObject([{ method: 'b' }])
  leave()
  requests.add(failure('d'))
  await requests.write()
  expect(seen).toHaveLength(1)
})

test('a reader who is slow gets the newest hundred, and the number of the others', async () => {
  const buffer = createFeedBuffer()
  const one = { id: 'gap', at: 1, notKept: 1, accountId: 'acc_1' }
  for (let event = 0; event < 3; event++)
    buffer.add({ requests: Array.from({ length: 60 }, () => one), left: 1 })
  const ends = new AbortController()
  const events = buffer.events(ends.signal)
  const { value } = await events.next()
  expect([value?.requests.length, value?.left]).toEqual([100, 83])
  const last = events.next()
  ends.abort()
  expect(await last).toEqual({ done: true, value: undefined })
})
