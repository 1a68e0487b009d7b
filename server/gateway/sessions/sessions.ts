import type { GatewaySessionKind } from '../../../shared/gateway.ts'
import type { Clock } from '../../platform/clock.ts'
import { type GatewayCaller, endRefused, sessionHolderOf, withoutAccount } from '../authentication.ts'
import type { GatewaySettings } from '../settings.ts'
import { unknownClient } from './client-traits.ts'
import { createSessionCapacity } from './capacity.ts'
import { type GatewaySession, type SessionEntry, newGatewaySession } from './session.ts'
import { type SessionFacts, type SessionIds, randomIds } from './session-ids.ts'

export interface SessionsOptions {
  readonly clock: Clock
  readonly settings: GatewaySettings
  readonly ids?: SessionIds
  /** Hears of each session that is over, whyever. */
  readonly onEnd: (sessionId: string) => void
}

/** What a new session is, and what it is to do at its end. */
interface NewSession {
  readonly client?: SessionFacts['client']
  /** Closes what the client holds open. */
  readonly close?: () => void
}

/** `usedAt`: epoch ms. */
export interface ListedSession {
  readonly session: GatewaySession
  readonly usedAt: number
  readonly isOpen: boolean
}

export type GatewaySessions = ReturnType<typeof createGatewaySessions>

const sweepMs = 15_000

/** The sessions of this process. They end when nobody uses them, when they are old, and with `endOf`. */
export function createGatewaySessions({ clock, settings, ids = randomIds, onEnd }: SessionsOptions) {
  /** Ordered by last use: the first is the next to make room. */
  const stored = new Map<string, SessionEntry>()
  const counts = new Map<string, number>()
  let timer: ReturnType<typeof setInterval> | null = null

  function end(id: string): void {
    const one = stored.get(id)
    if (one === undefined) return
    stored.delete(id)
    tally(counts, one, -1)
    one.close()
    onEnd(id)
  }

  const isOver = (one: SessionEntry, now: number): boolean =>
    now >= one.endsAt || (one.streams === 0 && now - one.usedAt >= settings.sessionIdleMs)

  const requireRoom = createSessionCapacity({ stored, counts, settings, end })

  function endAll(): void {
    for (const id of stored.keys()) end(id)
  }

  function sweep(): void {
    const now = clock.monotonic()
    for (const [id, one] of stored) if (isOver(one, now)) end(id)
  }

  function touch(one: SessionEntry): void {
    one.usedAt = clock.monotonic()
    stored.delete(one.session.id)
    stored.set(one.session.id, one)
  }

  /** Faults: `rate_limited`, `unavailable` when there are too many. */
  function store(caller: GatewayCaller, id: string, facts: SessionFacts, { close, isRebuilt }: StoreOptions) {
    // Later checks of its key ask for the address, when the request that opened it is long over.
    caller.from.caller()
    const now = clock.monotonic()
    const { owner } = requireRoom(caller, now)
    const { kind, openedAt } = facts
    const expiresAt = openedAt + settings.sessionLifeMs
    const session = newGatewaySession(caller, { id, kind, openedAt, expiresAt, isRebuilt })
    const endsAt = now + expiresAt - clock.now()
    const one = { session, caller, owner, endsAt, usedAt: now, streams: 0, close }
    stored.set(id, one)
    tally(counts, one, 1)
    return session
  }

  return {
    /** Faults: `rate_limited`, `unavailable` when there are too many. */
    open(caller: GatewayCaller, kind: GatewaySessionKind, more: NewSession = {}): GatewaySession {
      const { client = unknownClient, close = () => undefined } = more
      const facts = { kind, openedAt: Math.floor(clock.now()), client }
      return store(caller, ids.mint(sessionHolderOf(caller), facts), facts, { close, isRebuilt: false })
    },

    /** Under the id that another process gave it, as empty as a new one. Faults as with `open`. */
    rebuild(caller: GatewayCaller, id: string, facts: SessionFacts, close: () => void): GatewaySession {
      if (stored.has(id)) throw new TypeError('the session is here already')
      return store(caller, id, facts, { close, isRebuilt: true })
    },

    /** What an id says that is no session of this process; null: nothing, or of a session that is too old. */
    read(caller: GatewayCaller, id: string): ReturnType<SessionIds['read']> {
      const facts = ids.read(sessionHolderOf(caller), id)
      return facts !== null && clock.now() < facts.openedAt + settings.sessionLifeMs ? facts : null
    },

    /** Without counting as use. */
    isHere: (holder: string, id: string): boolean => stored.get(id)?.session.holder === holder,

    /** Null also for the session of another principal. Counts as use. */
    find(caller: GatewayCaller, id: string): GatewaySession | null {
      const one = stored.get(id)
      if (one === undefined || one.session.holder !== sessionHolderOf(caller)) return null
      if (isOver(one, clock.monotonic())) {
        end(id)
        return null
      }
      touch(one)
      return one.session
    },

    /** The session is in use until the returned function is called. */
    hold(id: string): () => void {
      const one = stored.get(id)
      if (one === undefined) return () => undefined
      return holding(one, () => {
        if (stored.get(id) === one) touch(one)
      })
    },

    end,
    /** Ends the sessions of an API key that has changed, unless it would be let in again. */
    recheck: (keyId: string | null): Promise<void> =>
      endRefused(stored.values(), keyId, ({ session }) => end(session.id)),
    /** The newest use last. */
    list(): ListedSession[] {
      const offset = clock.now() - clock.monotonic()
      return [...stored.values()].map((one) => listed(one, offset))
    },
    count: () => stored.size,
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

/**
 * Whether a session of the caller's is in another process, as far as its id tells. Ids are sealed for their callers, so that
 * what a tool of somebody else calls a session is never taken for one.
 */
export const isElsewhere = (
  sessions: Pick<GatewaySessions, 'isHere' | 'read'>,
  caller: GatewayCaller,
  id: string,
): boolean => !sessions.isHere(sessionHolderOf(caller), id) && sessions.read(caller, id) !== null

interface StoreOptions {
  readonly close: () => void
  readonly isRebuilt: boolean
}

const listed = ({ session, usedAt, streams }: SessionEntry, offset: number): ListedSession => ({
  session,
  usedAt: Math.floor(usedAt + offset),
  isOpen: streams > 0,
})

function holding(one: SessionEntry, onRelease: () => void): () => void {
  one.streams += 1
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    one.streams -= 1
    onRelease()
  }
}

function tally(counts: Map<string, number>, { owner, session }: SessionEntry, change: number): void {
  addTo(counts, owner, change)
  if (session.accountId === null) addTo(counts, withoutAccount, change)
}

function addTo(counts: Map<string, number>, owner: string, change: number): void {
  const count = (counts.get(owner) ?? 0) + change
  if (count > 0) counts.set(owner, count)
  else counts.delete(owner)
}
