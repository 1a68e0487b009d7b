import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import type { LimitDecision } from '../../limits/limits.ts'
import { Notifications } from './notifications.ts'
import { notificationOf } from './read-message.ts'

const admitted: LimitDecision = { kind: 'admitted', quotas: [], admittedAt: 0, giveBack: () => undefined }
const refused: LimitDecision = {
  kind: 'refused',
  scope: 'key',
  limit: 'credits',
  retryAfterMs: 1,
  quotas: [],
}
const unavailable: LimitDecision = { kind: 'unavailable', retryAfterMs: 1 }

/**
 * Notifications of which the limits say one thing after the other, and the tip in `known` when other processes have their
 * blocks; a promise resolves when the test says so.
 */
function passing(
  answers: readonly (LimitDecision | Promise<LimitDecision>)[],
  known: (Promise<void> | null)[] = [],
) {
  const sent: string[] = []
  const stops: string[] = []
  const counted = { admitted: 0, settled: 0, refused: 0, hasRoom: true }
  let asked = 0
  const notifications = new Notifications(
    {
      key: {
        id: 'key',
        accountId: 'account',
        endpoint: 'testnet',
        rate: null,
        credits: null,
        allowedDomains: [],
        allowedMethods: [],
        further: [],
        allowedContracts: [],
        moreEndpoints: [],
        debugEndsAt: null,
      },
      untilBlocksAreKnown: () => known.shift() ?? null,
      price: () => 3,
      send: (text) => void sent.push(JSON.parse(text).params),
      stopped: (why) => void stops.push(why),
      failed: (error) => void stops.push(String(error)),
    },
    {
      limits: { admit: () => answers[asked++] ?? admitted },
      meter: {
        admit() {
          if (!counted.hasRoom) throw new Error('no room')
          return { settle: () => void counted.settled++ }
        },
        refuse: () => void counted.refused++,
      },
    },
  )
  const send = (params: string): void =>
    notifications.send(notificationOf('eth_subscription', '{"params":', '}'), params)
  return { send, sent, stops, counted }
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await Promise.resolve()
}

test('keep their order, however long the limits think about each', async () => {
  const thought = fc.integer({ min: 0, max: 5 })
  await fc.assert(
    fc.asyncProperty(fc.array(thought, { maxLength: 20 }), async (delays) => {
      const answers = delays.map((delay) => (delay === 0 ? admitted : turns(delay).then(() => admitted)))
      const { send, sent, stops, counted } = passing(answers)
      delays.forEach((_, place) => send(String(place)))
      await turns(500)
      expect(sent).toEqual(delays.map((_, place) => place as unknown as string))
      expect([stops, counted.settled]).toEqual([[], delays.length])
    }),
  )
})

test('wait until a call to another process finds their block, and those behind them wait, too', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { send, sent, stops } = passing([], [null, promise])
  for (const params of ['0', '1', '2']) send(params)
  await turns(50)
  expect(sent).toEqual([0] as unknown as string[])
  resolve()
  await turns(50)
  expect([sent, stops]).toEqual([[0, 1, 2] as unknown as string[], []])
})

test('end where it cannot be known', async () => {
  const { send, sent, stops } = passing([], [Promise.reject(new Error('broken'))])
  for (const params of ['0', '1']) send(params)
  await turns(50)
  expect([sent, stops]).toEqual([[], ['Error: broken']])
})

describe('end at the first that is not admitted, and say so once', () => {
  test.each([
    ['credits', refused],
    ['unavailable', unavailable],
  ] as const)('%s', async (why, answer) => {
    for (const admission of [answer, Promise.resolve(answer)]) {
      const { send, sent, stops, counted } = passing([admitted, admission, admitted])
      for (const params of ['0', '1', '2', '3']) send(params)
      await turns(50)
      send('4')
      expect([sent, stops]).toEqual([[0] as unknown as string[], [why]])
      expect([counted.settled, counted.refused]).toEqual([1, why === 'credits' ? 1 : 0])
    }
  })

  test('one that cannot be counted', () => {
    const { send, sent, stops, counted } = passing([])
    counted.hasRoom = false
    send('0')
    send('1')
    expect([sent, stops]).toEqual([[], ['Error: no room']])
  })

  test('a mistake of ours', async () => {
    const { send, stops } = passing([Promise.reject(new Error('broken'))])
    send('0')
    await turns(50)
    expect(stops).toEqual(['Error: broken'])
  })

  test('too many that wait', async () => {
    const { send, stops } = passing([new Promise(() => undefined)])
    for (let passed = 0; passed <= 10_001; passed++) send('0')
    expect(stops).toEqual(['unavailable'])
  })
})
