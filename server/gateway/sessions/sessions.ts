import type { GatewaySessionKind } from '../../../shared/gateway.ts'
import type { Clock } from '../../platform/clock.ts'
import { fault } from '../../platform/fault.ts'
import { randomId } from '../../platform/ids.ts'
import { mintSecret } from '../../platform/secrets.ts'
import type { Principal } from '../principal.ts'
import type { GatewaySettings } from '../settings.ts'
import type { GatewaySession } from './session.ts'

export interface SessionsOptions {
  readonly clock: Clock
  readonly settings: GatewaySettings
  /** Hears of each session that is over, whyever. */
  readonly onEnd: (sessionId: string) => void
}

/** A session that is kept, with what only its keeping needs. Instants are those of the monotonic clock. */
interface Kept {
  readonly session: GatewaySession
  readonly principal: Principal
  readonly owner: string
  readonly endsAt: number
  usedAt: number
  /** Open streams: as long as there is one, somebody is there. */
  streams: number
  /** Closes what the client holds open. */
  readonly close: () => void
}

export type GatewaySessions = ReturnType<typeof createSessions>

const sweepMs = 15_000
/** Whoever would have to make room was in use until shortly before: then the newcomer is refused. */
const youngMs = 60_000

/** The sessions of this process. They end when nobody uses them, when they are old, and with `endOf`. */
export function createSessions({ clock, settings, onEnd }: SessionsOptions) {
  /** Ordered by last use: the first is the next to make room. */
  const kept = new Map<string, Kept>()
  const counts = new Map<string, number>()
  let timer: ReturnType<typeof setInterval> | null = null

  function end(id: string): void {
    const one = kept.get(id)
    if (one === undefined) return
    kept.delete(id)
    const left = (counts.get(one.owner) ?? 1) - 1
    if (left === 0) counts.delete(one.owner)
    else counts.set(one.owner, left)
    one.close()
    onEnd(id)
  }

  const isOver = (one: Kept, now: number): boolean =>
    now >= one.endsAt || (one.streams === 0 && now - one.usedAt >= settings.sessionIdleMs)

  function endAll(): void {
    for (const id of kept.keys()) end(id)
  }

  function sweep(): void {
    const now = clock.monotonic()
    for (const [id, one] of kept) if (isOver(one, now)) end(id)
  }

  /** Ends the session of `owner` (or of anybody) that was used least recently. False: all are in use. */
  function makeRoom(now: number, owner: string | null): boolean {
    for (const [id, one] of kept) {
      if (now - one.usedAt < youngMs) return false
      if (one.streams > 0 || (owner !== null && one.owner !== owner)) continue
      end(id)
      return true
    }
    return false
  }

  function requireRoom(owner: string, isBounded: boolean, now: number): void {
    const isFull = isBounded && (counts.get(owner) ?? 0) >= settings.sessionsOfOne
    if (isFull && !makeRoom(now, owner)) {
      throw fault('rate_limited', `There are ${settings.sessionsOfOne} open sessions already: close some`, {
        retryAfterSec: youngMs / 1_000,
      })
    }
    if (kept.size >= settings.sessions && !makeRoom(now, null)) {
      throw fault('unavailable', 'The gateway has as many open sessions as it can hold: try again later', {
        retryAfterSec: youngMs / 1_000,
      })
    }
  }

  function touch(one: Kept): void {
    one.usedAt = clock.monotonic()
    kept.delete(one.session.id)
    kept.set(one.session.id, one)
  }

  return {
    /** Faults: `rate_limited`, `unavailable` when there are too many. */
    open(
      principal: Principal,
      kind: GatewaySessionKind,
      close: () => void = () => undefined,
    ): GatewaySession {
      const now = clock.monotonic()
      const { owner, isBounded } = ownerOf(principal)
      requireRoom(owner, isBounded, now)
      const openedAt = Math.floor(clock.now())
      const session: GatewaySession = {
        id: mintSecret('gws_'),
        label: randomId('session'),
        principal: principal.name,
        accountId: principal.kind === 'account' ? principal.accountId : null,
        kind,
        openedAt,
        expiresAt: openedAt + settings.sessionLifeMs,
        bag: new Map(),
        tokens: new Map(),
        chain: null,
      }
      const endsAt = now + settings.sessionLifeMs
      kept.set(session.id, { session, principal, owner, endsAt, usedAt: now, streams: 0, close })
      counts.set(owner, (counts.get(owner) ?? 0) + 1)
      return session
    },

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
      one.streams += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        one.streams -= 1
        if (kept.get(id) === one) touch(one)
      }
    },

    end,
    /** Ends the sessions of an API key that has changed, unless it would be let in again. */
    async recheck(keyId: string): Promise<void> {
      for (const [id, { principal }] of kept) {
        if (principal.kind !== 'account' || principal.name !== keyId) continue
        if (!(await principal.isStillAllowed())) end(id)
      }
    },
    /** The newest use last. `usedAt` as epoch ms. */
    list(): { readonly session: GatewaySession; readonly usedAt: number; readonly isOpen: boolean }[] {
      const offset = clock.now() - clock.monotonic()
      return [...kept.values()].map(({ session, usedAt, streams }) => ({
        session,
        usedAt: Math.floor(usedAt + offset),
        isOpen: streams > 0,
      }))
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

/** Without a key the address stands for the caller. On this very machine all callers have one: it tells nothing. */
function ownerOf(principal: Principal): { owner: string; isBounded: boolean } {
  if (principal.kind === 'account') return { owner: principal.name, isBounded: true }
  const address = principal.from.caller().address ?? 'unknown'
  return { owner: `address ${address}`, isBounded: !isLoopback(address) }
}

export const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.')
