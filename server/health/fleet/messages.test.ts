import { describe, expect, test } from 'bun:test'

import { initial } from '../decide/state-machine.ts'
import type { SavedHealth } from '../history/store.ts'
import { isWorthSending, joinHealths, ownersText, readOwnersText } from './messages.ts'

const at = 1_800_000_000_000
const state = initial(at)
const someCause = { objections: 'CONNECT', reason: '1 of 1 say BAD: CONNECT', changes: 0, next: null }
const healthOf = (changes: Partial<SavedHealth> = {}): SavedHealth => ({
  serviceId: 'a',
  published: 'UP',
  state,
  liveVerifiers: 1,
  avgBlocksLatency: 0,
  avgTimeLatency: 0,
  evaluatedAt: at,
  quorumExpiresAt: at + 30_000,
  cause: null,
  ...changes,
})

describe('what the owner sends', () => {
  const held = { holder: 'node', epoch: 7 }
  const decisions = JSON.stringify({ kind: 'decisions', healths: [healthOf()] })

  test('is read as it was written, line breaks in texts included', () => {
    const cause = { ...someCause, reason: 'two\nlines' }
    const line = JSON.stringify({ kind: 'decisions', healths: [{ ...healthOf(), cause }] })
    expect(readOwnersText(ownersText(held, [decisions, line]))).toEqual({
      held,
      messages: [JSON.parse(decisions), JSON.parse(line)],
    })
    expect(readOwnersText(ownersText(held, []))).toEqual({ held, messages: [] })
  })

  test('may be of a newer version, of which unknown lines are passed over', () => {
    const text = ownersText(held, ['{"kind":"tomorrow","more":1}', decisions])
    expect(readOwnersText(text).messages).toEqual([JSON.parse(decisions)])
  })
})

const later = (ms: number, changes: Partial<SavedHealth> = {}) =>
  healthOf({ evaluatedAt: at + ms, quorumExpiresAt: at + ms + 30_000, ...changes })

describe('a decision is sent', () => {
  test('when it is new or differs', () => {
    expect(isWorthSending(undefined, healthOf())).toBe(true)
    for (const changes of [
      { published: 'DOWN' },
      { state: { ...state } },
      { liveVerifiers: 2 },
      { avgBlocksLatency: 1 },
      { avgTimeLatency: 1 },
      { cause: someCause },
    ] as Partial<SavedHealth>[])
      expect([changes, isWorthSending(healthOf(), later(1_000, changes))]).toEqual([changes, true])
  })

  test('when nothing has changed only now and then, and before the end that the others know', () => {
    expect(isWorthSending(healthOf(), later(4_999))).toBe(false)
    expect(isWorthSending(healthOf(), later(5_000))).toBe(true)
    expect(isWorthSending(healthOf({ quorumExpiresAt: at + 10_999 }), later(1_000))).toBe(true)
    expect(isWorthSending(healthOf({ quorumExpiresAt: at + 11_000 }), later(1_000))).toBe(false)
  })

  test('when the clock was set back, so that nobody goes by an end that is far in the future', () => {
    expect(isWorthSending(healthOf(), later(-3_600_000))).toBe(true)
  })
})

describe('who takes over', () => {
  test('goes on with the newer of what is stored and what it received, and stores what the last owner could not', () => {
    const stored = [
      healthOf({ serviceId: 'same' }),
      healthOf({ serviceId: 'newer stored', evaluatedAt: at + 1 }),
      healthOf({ serviceId: 'newer received' }),
      healthOf({ serviceId: 'unstored' }),
      healthOf({ serviceId: 'not received' }),
    ]
    const received = [
      healthOf({ serviceId: 'same' }),
      healthOf({ serviceId: 'newer stored', published: 'DOWN' }),
      healthOf({ serviceId: 'newer received', evaluatedAt: at + 1 }),
      healthOf({ serviceId: 'unstored', published: 'DOWN', evaluatedAt: at + 1 }),
      healthOf({ serviceId: 'never stored' }),
    ]
    const [same, newerStored, , unstored, notReceived] = stored
    const { healths, unstored: found } = joinHealths(
      stored,
      new Map(received.map((health) => [health.serviceId, health])),
    )
    expect(healths).toEqual([
      same,
      newerStored,
      received[2],
      received[3],
      notReceived,
      received[4],
    ] as SavedHealth[])
    expect(found).toEqual([{ stored: unstored, received: received[3] }] as typeof found)
  })
})
