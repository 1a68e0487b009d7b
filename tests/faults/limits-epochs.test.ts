// Mostly waits: for limits to begin anew.
import { afterEach, describe, expect, test } from 'bun:test'
import { RedisClient } from 'bun'

import { startTcpFaultProxy, type TcpFaultProxy } from '../../scripts/world/tcp-fault-proxy.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { LimitDecision, LimitedCall } from '../../server/limits/limit-decision.ts'
import type { StoreLostMode } from '../../server/limits/shared-store/local-answers.ts'
import { createSharedLimits, type SharedLimits } from '../../server/limits/shared-store/shared-limits.ts'
import { systemClock } from '../../server/platform/clock.ts'
import type { Log } from '../../server/platform/log.ts'
import { periodMs } from '../../shared/periods.ts'
import { hasRedis, sharedStore } from './limits/shared-store.ts'

const store = sharedStore()
const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await emptyStore()
})

interface Node {
  readonly limits: SharedLimits
  /** Messages of its log. */
  readonly said: string[]
  /** Between it and the store. */
  readonly way: TcpFaultProxy
}

async function start(whenStoreLost: StoreLostMode = 'closed'): Promise<Node> {
  const way = await startTcpFaultProxy({
    target: { host: '127.0.0.1', port: Number(new URL(store.url).port) },
  })
  const said: string[] = []
  const say = (message: string): void => void said.push(message)
  const log: Log = { debug: say, info: say, warn: say, error: say }
  const url = `redis://127.0.0.1:${way.port}`
  const limits = createSharedLimits({
    store: { url, prefix: 'gatehouse:test' },
    clock: systemClock,
    log,
    whenStoreLost,
    maxKeys: 10,
  })
  closing.push(limits.close, way.stop)
  await waitUntil('the store grants', async () => (await kindOf(limits, perSecond)) === 'admitted')
  return { limits, said, way }
}

/** For the store it is as if it were dead: it can neither ask nor post. */
function cutOff({ way }: Node): void {
  way.set({ refuse: true })
  way.cut()
}

async function emptyStore(): Promise<void> {
  if (!hasRedis) return
  const client = new RedisClient(store.url)
  await client.send('FLUSHALL', [])
  client.close()
}

const perHour: LimitedCall = {
  keyId: 'key',
  rate: { units: 10, period: 'hour' },
  credits: null,
  calls: 1,
  cost: 0,
}
const perMonth: LimitedCall = { ...perHour, keyId: 'month', rate: { units: 10, period: 'month' } }
const perSecond: LimitedCall = { ...perHour, keyId: 'other', rate: { units: 100, period: 'second' } }

const kindOf = async (limits: SharedLimits, call: LimitedCall): Promise<LimitDecision['kind']> =>
  (await limits.admit(call)).kind

/** Once the store has settled. */
async function take(limits: SharedLimits, calls: number): Promise<void> {
  const call = { ...perHour, calls }
  await waitUntil('it is admitted', async () => (await kindOf(limits, call)) === 'admitted', 5_000)
}

const remembers = ({ said }: Node, times = 1): boolean =>
  said.filter((message) => message.includes('is remembered')).length >= times

const postsAgain = ({ said }: Node, times: number): boolean =>
  said.filter((message) => message.includes('posts its own again')).length >= times

/** After the store has settled. */
const warnsOfMissing = ({ said }: Node, times = 1): boolean =>
  said.filter((message) => message.includes('limits stay closed')).length >= times

describe.skipIf(!hasRedis)('when the store loses its data', () => {
  test('what a process was granted that had gone before is still counted', async () => {
    const [one, two] = [await start(), await start()]
    await take(one.limits, 4)
    await take(two.limits, 2)
    one.limits.close()
    await waitUntil('it is remembered', () => remembers(two))
    const three = await start()
    await waitUntil('the newcomer remembers it too', () => remembers(three))
    two.limits.close()
    await waitUntil('both are remembered', () => remembers(three, 2))
    await emptyStore()
    await waitUntil('the data are posted', () => postsAgain(three, 1))
    await waitUntil('it is open', async () => (await kindOf(three.limits, perHour)) === 'admitted')
    await take(three.limits, 3)
    expect(await kindOf(three.limits, perHour)).toBe('refused')
    expect(warnsOfMissing(three)).toBe(false)
  })

  test('a limit stays closed while nobody knows what a dead process was granted, and says for how long', async () => {
    const [one, two] = [await start(), await start()]
    await take(one.limits, 4)
    await take(two.limits, 2)
    cutOff(one)
    await emptyStore()
    await waitUntil('one is missed', () => warnsOfMissing(two))
    const closed = await two.limits.admit(perHour)
    if (closed.kind !== 'unavailable') throw new Error(closed.kind)
    expect(closed.retryAfterMs).toBeWithin(periodMs.hour - 10_000, periodMs.hour + 200_000)
    const forLess = await two.limits.admit(perMonth)
    if (forLess.kind !== 'unavailable') throw new Error(forLess.kind)
    expect(forLess.retryAfterMs).toBeWithin(periodMs.hour - 10_000, periodMs.hour + 200_000)
    // Nothing that was granted before can count in this second.
    expect(await kindOf(two.limits, perSecond)).toBe('admitted')

    await emptyStore()
    await waitUntil(
      'one is missed in the next epoch, too',
      () => warnsOfMissing(two, 1) && postsAgain(two, 2),
    )
    await waitUntil('the store has settled', async () => {
      const admission = await two.limits.admit(perHour)
      return admission.kind === 'unavailable' && admission.retryAfterMs > periodMs.hour - 10_000
    })
    expect(await kindOf(await start().then(({ limits }) => limits), perHour)).toBe('unavailable')

    one.way.set({})
    await waitUntil('it is back', () => postsAgain(one, 1))
    await waitUntil('it is open', async () => (await kindOf(two.limits, perHour)) === 'admitted')
    await take(two.limits, 3)
    await waitUntil('it has a seat', async () => (await kindOf(one.limits, perHour)) !== 'unavailable')
    expect(await kindOf(one.limits, perHour)).toBe('refused')
  })

  test('in mode share a limit that is closed is shared out by those who are there', async () => {
    const [one, two] = [await start('share'), await start('share')]
    await take(one.limits, 4)
    cutOff(one)
    await emptyStore()
    await waitUntil('one is missed', () => warnsOfMissing(two))
    expect(await kindOf(two.limits, perHour)).toBe('admitted')
  })

  test('a newcomer is granted nothing before the others know of it', async () => {
    const one = await start()
    one.way.set({ blackHole: true })
    const asked = performance.now()
    const two = await start()
    // One has not answered for so long that it was given up: nobody else could tell of the newcomer.
    expect(performance.now() - asked).toBeGreaterThan(500)
    expect(await kindOf(two.limits, perHour)).toBe('admitted')
  })
})
