import { afterEach, beforeEach, expect, test } from 'bun:test'

import type { ServiceState } from '../../../shared/health-services.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { type LiveEvent, createLiveServices } from './live-services.ts'

const everyMs = 5
let services: Map<string, ServiceState>
let version: number
let schedule: number
let feed: ReturnType<typeof createLiveServices>
let ends: AbortController

const stateOf = (id: string, changes: Partial<ServiceState> = {}): ServiceState => ({
  id,
  decision: 'UP',
  decisionSince: 1,
  liveVerifiers: 1,
  avgBlocksLatency: 0,
  avgTimeLatency: 0,
  timestamp: 1,
  maintenance: null,
  reason: null,
  pending: null,
  ...changes,
})

const put = (id: string, changes?: Partial<ServiceState>) => void services.set(id, stateOf(id, changes))

beforeEach(() => {
  services = new Map()
  version = 0
  schedule = 0
  ends = new AbortController()
  const states = () => {
    schedule++
    return services.values()
  }
  feed = createLiveServices({ states, listVersion: () => version, everyMs })
  for (const id of ['a', 'b']) put(id)
})
afterEach(() => {
  ends.abort()
  feed.stop()
})

async function next(events: AsyncGenerator<LiveEvent>): Promise<LiveEvent> {
  const { value, done } = await events.next()
  if (done) throw new Error('the stream has ended')
  return value
}
const idsOf = ({ event }: LiveEvent) => event.services.map(({ id }) => id)

test('a new follower gets everything, then what changes', async () => {
  const events = feed.follow(undefined, ends.signal)
  expect(idsOf(await next(events))).toEqual(['a', 'b'])
  const waiting = next(events)
  put('a', { timestamp: 2 }) // evaluated again: nothing that anybody has to be told
  put('b', { decision: 'DOWN', timestamp: 2 })
  expect((await waiting).event.services).toEqual([stateOf('b', { decision: 'DOWN', timestamp: 2 })])
})

test('one that is slow is told once, what holds in the end', async () => {
  const [slow, quick] = [feed.follow(undefined, ends.signal), feed.follow(undefined, ends.signal)]
  await next(slow)
  await next(quick)
  for (const liveVerifiers of [2, 3, 4]) {
    put('a', { liveVerifiers })
    expect((await next(quick)).event.services).toEqual([stateOf('a', { liveVerifiers })])
  }
  expect((await next(slow)).event.services).toEqual([stateOf('a', { liveVerifiers: 4 })])
})

test('one that comes again goes on where it was; by an id of another run it begins anew', async () => {
  const first = feed.follow(undefined, ends.signal)
  const { id } = await next(first)
  put('b', { liveVerifiers: 7 })
  await next(first)
  expect(idsOf(await next(feed.follow(id, ends.signal)))).toEqual(['b'])
  for (const other of ['00000000-1', 'nonsense', `${id.split('-')[0]}-999`])
    expect(idsOf(await next(feed.follow(other, ends.signal)))).toEqual(['a', 'b'])
})

test('services that come and go change the version of the list', async () => {
  const events = feed.follow(undefined, ends.signal)
  const { listVersion } = (await next(events)).event
  services.delete('a')
  put('c')
  version++
  const after = await next(events)
  expect(idsOf(after)).toEqual(['c'])
  expect(after.event.listVersion).not.toBe(listVersion)
  expect(idsOf(await next(feed.follow(undefined, ends.signal)))).toEqual(['b', 'c'])
})

test('many services come in parts, and a follower that is cut off between them begins anew', async () => {
  for (let index = 0; index < 1_200; index++) put(`more ${index}`)
  const events = feed.follow(undefined, ends.signal)
  const parts = [await next(events), await next(events), await next(events)]
  expect(parts.map(({ event }) => event.services.length)).toEqual([500, 500, 202])
  const again = feed.follow(parts[1]?.id, ends.signal)
  expect((await next(again)).event.services).toHaveLength(500)
  expect(idsOf(await next(feed.follow(parts[2]?.id, ends.signal)))).toEqual([])
})

test('nobody looks while nobody follows', async () => {
  const events = feed.follow(undefined, ends.signal)
  await next(events)
  await waitUntil('it looks', () => schedule > 2)
  const waiting = events.next()
  ends.abort()
  expect(await waiting).toEqual({ done: true, value: undefined })
  const before = schedule
  await new Promise((resolve) => setTimeout(resolve, 10 * everyMs)) // nothing is to happen in that time
  expect(schedule).toBe(before)
})
