import type { GatewaySessionKind } from '../../../shared/gateway.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Principal } from '../principal.ts'
import type { GatewaySettings } from '../settings.ts'
import { unknownClient } from './client-traits.ts'
import { createRoom } from './room.ts'
import { type GatewaySession, type Kept, newSession } from './session.ts'
import { type NamedSession, type SessionNames, plainNames } from './session-names.ts'
import { ownerOf } from './session-owner.ts'

export interface SessionsOptions {
  readonly clock: Clock
  readonly settings: GatewaySettings
  readonly names?: SessionNames
  /** Hears of each session that is over, whyever. */
  readonly onEnd: (sessionId: string) => void
}

/** What a new session is, and what it is to do at its end. */
interface NewSession {
  readonly client?: NamedSession['client']
  /** Closes what the client holds open. */
  readonly close?: () => void
}

/** `usedAt`: epoch ms. */
export interface ListedSession {
  readonly session: GatewaySession
  readonly usedAt: number
  readonly isOpen: boolean
}

export type GatewaySessions = ReturnType<typeof createSessions>

const sweepMs = 15_000

/** The sessions of this process. They end when nobody uses them, when they are old, and with `endOf`. */
export function createSessions({ clock, settings, names = plainNames, onEnd }: SessionsOptions) {
  /** Ordered by last use: the first is the next to make room. */
  const kept = new Map<string, Kept>()
  const counts = new Map<string, number>()
  let timer: ReturnType<typeof setInterval> | null = null

  function end(id: string): void {
    const one = kept.get(id)
    if (one === undefined) return
    kept.delete(id)
    addTo(counts, one.owner, -1)
    one.close()
    onEnd(id)
  }

  const isOver = (one: Kept, now: number): boolean =>
    now >= one.endsAt || (one.streams === 0 && now - one.usedAt >= settings.sessionIdleMs)

  const requireRoom = createRoom({ kept, counts, settings, end })

  function endAll(): void {
    for (const id of kept.keys()) end(id)
  }

  function sweep(): void {
    const now = clock.monotonic()
    for (const [id, one] of kept) if (isOver(one, now)) end(id)
  }

  function touch(one: Kept): void {
    one.usedAt = clock.monotonic()
    kept.delete(one.session.id)
    kept.set(one.session.id, one)
  }

  /** Faults: `rate_limited`, `unavailable` when there are too many. */
  function keep(principal: Principal, id: string, named: NamedSession, { close, isRebuilt }: Keeping) {
    const now = clock.monotonic()
    const { owner, isBounded } = ownerOf(principal)
    requireRoom({ owner, isBounded }, now)
    const expiresAt = named.openedAt + settings.sessionLifeMs
    const session = newSession(principal, {
      id,
      kind: named.kind,
      openedAt: named.openedAt,
      expiresAt,
      isRebuilt,
    })
    const endsAt = now + expiresAt - clock.now()
    kept.set(id, { session, principal, owner, endsAt, usedAt: now, streams: 0, close })
    addTo(counts, owner, 1)
    return session
  }

  return {
    /** Faults: `rate_limited`, `unavailable` when there are too many. */
    open(principal: Principal, kind: GatewaySessionKind, more: NewSession = {}): GatewaySession {
      const { client = unknownClient, close = () => undefined } = more
      const named = { kind, openedAt: Math.floor(clock.now()), client }
      return keep(principal, names.mint(principal.name, named), named, { close, isRebuilt: false })
    },

    /** Under the id that another process gave it, as empty as a new one. Faults as with `open`. */
    rebuild(principal: Principal, id: string, named: NamedSession, close: () => void): GatewaySession {
      if (kept.has(id)) throw new TypeError('the session is here already')
      return keep(principal, id, named, { close, isRebuilt: true })
    },

    /** What an id says that is no session of this process; null: nothing, or of a session that is too old. */
    read(principal: Principal, id: string): ReturnType<SessionNames['read']> {
      const named = names.read(principal.name, id)
      return named !== null && clock.now() < named.openedAt + settings.sessionLifeMs ? named : null
    },

    /** Without counting as use. */
    isHere: (principalName: string, id: string): boolean => kept.get(id)?.session.principal === principalName,

    /** Null also for the session of another principal. Counts as use. */
    find(principal: Principal, id: string): GatewaySession | null {
      const one = kept.get(id)
      if (one === undefined || one.session.principal !== principal.name) return null
      if (isOver(one, clock.monotonic())) {
        end(id)
        return null
      }
      touch(one)
      return one.session
    },

    /** The session is in use until the returned function is called. */
    hold(id: string): () => void {
      const one = kept.get(id)
      if (one === undefined) return () => undefined
      return holding(one, () => {
        if (kept.get(id) === one) touch(one)
      })
    },

    end,
    /** Ends the sessions of an API key that has changed, unless it would be let in again. */
    recheck: (keyId: string): Promise<void> => endThoseOf(kept, keyId, end),
    /** The newest use last. */
    list(): ListedSession[] {
      const offset = clock.now() - clock.monotonic()
      return [...kept.values()].map((one) => listed(one, offset))
    },
    count: () => kept.size,
    sweep,
    start(): void {
      timer ??= setInterval(sweep, sweepMs)
      timer.unref()
    },
    endAll,
    stop(): void {
      if (timer !== null) clearInterval(timer)
      timer = null
      endAll()
    },
  }
}

interface Keeping {
  readonly close: () => void
  readonly isRebuilt: boolean
}

const listed = ({ session, usedAt, streams }: Kept, offset: number): ListedSession => ({
  session,
  usedAt: Math.floor(usedAt + offset),
  isOpen: streams > 0,
})

/** Of a key, unless it would be let in again. */
async function endThoseOf(
  kept: ReadonlyMap<string, Kept>,
  keyId: string,
  end: (id: string) => void,
): Promise<void> {
  for (const [id, { principal }] of kept) {
    if (principal.kind !== 'account' || principal.name !== keyId) continue
    if (!(await principal.isStillAllowed())) end(id)
  }
}

function holding(one: Kept, onRelease: () => void): () => void {
  one.streams += 1
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    one.streams -= 1
    onRelease()
  }
}

function addTo(counts: Map<string, number>, owner: string, change: number): void {
  const count = (counts.get(owner) ?? 0) + change
  if (count > 0) counts.set(owner, count)
  else counts.delete(owner)
}
