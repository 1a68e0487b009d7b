import { fault } from '../../platform/fault.ts'
import type { Log } from '../../platform/log.ts'
import { StoreLost } from '../../platform/shared-store/store-link.ts'
import type { Principal } from '../principal.ts'
import type { NamedSession } from '../sessions/session-names.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import type { Entrant } from '../transports/entrant.ts'
import type { Asking } from './asking.ts'
import type { Homes } from './homes.ts'

/**
 * What becomes of a request for a session that is not here: the answer of the process that has it; `here`: its process
 * is gone, and it was rebuilt in this one; `unknown`: for this principal there is no such session.
 */
export type Reached = Response | 'here' | 'unknown'

export interface Elsewhere {
  /** `body`: as it came, or what was read of it. Faults: `unavailable`; those of a new session. */
  reach(entrant: Entrant, sessionId: string, body: unknown): Promise<Reached>
  /** The session is being rebuilt here, and the promise is kept when it is. */
  rebuilding(sessionId: string): Promise<void> | undefined
}

/** Where there is one process. */
export const nowhere: Elsewhere = { reach: async () => 'unknown', rebuilding: () => undefined }

interface ElsewhereOptions {
  readonly self: string
  readonly sessions: Pick<GatewaySessions, 'read' | 'isHere'>
  readonly asking: Pick<Asking, 'ask'>
  readonly homes: Pick<Homes, 'find' | 'take' | 'leave'>
  readonly log: Log
  /** How long a session can last from now on, in ms. */
  lifeOf(named: NamedSession): number
  rebuild(principal: Principal, sessionId: string, named: NamedSession): Promise<void>
  note(outcome: 'answered' | 'rebuilt' | 'unknown' | 'unavailable'): void
}

/** Homes of sessions that were rebuilt, so that they need not be looked for each time. */
const maxRemembered = 10_000
/** A session whose home changes more often while it is looked for is not found now. */
const maxAttempts = 4

export function createElsewhere(options: ElsewhereOptions): Elsewhere {
  const { self, sessions, asking, homes, log, lifeOf, rebuild, note } = options
  const remembered = new Map<string, string>()
  const underWay = new Map<string, Promise<void>>()

  function remember(sessionId: string, home: string): void {
    remembered.delete(sessionId)
    remembered.set(sessionId, home)
    const [oldest] = remembered.keys()
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
  }

  /** By the one process that has become its home. All who ask meanwhile wait for it. */
  async function rebuildHere(principal: Principal, sessionId: string, named: NamedSession): Promise<Reached> {
    remembered.delete(sessionId)
    const work = rebuild(principal, sessionId, named)
    underWay.set(sessionId, work)
    try {
      await work
    } catch (error) {
      await homes.leave(sessionId)
      throw error
    } finally {
      underWay.delete(sessionId)
    }
    note('rebuilt')
    return 'here'
  }

  /** Asks where the session should be; then wherever it went from there. */
  async function search(entrant: Entrant, sessionId: string, body: unknown): Promise<Reached> {
    const { principal } = entrant
    const named = sessions.read(principal, sessionId)
    if (named === null) return 'unknown'
    let home: string | null = remembered.get(sessionId) ?? named.home
    for (let attempt = 0; attempt < maxAttempts && home !== null; attempt++) {
      const asked = home === self ? 'absent' : await asking.ask(home, sessionId, entrant, body)
      if (asked instanceof Response) {
        if (home !== named.home) remember(sessionId, home)
        return asked
      }
      // Its stream ended with its process, and it is nothing but its stream.
      if (asked === 'gone' && named.kind === 'sse') return 'unknown'
      const next = await nextHome(sessionId, home, asked, named)
      if (next.isNew) {
        log.info('a session of a process that is gone is rebuilt', { kind: named.kind, process: home })
        return rebuildHere(principal, sessionId, named)
      }
      if (underWay.has(sessionId) || sessions.isHere(principal.name, sessionId)) return hereAfter(sessionId)
      // Who should have it does not: it has ended.
      if (next.home === home && asked === 'absent') return 'unknown'
      home = next.home
    }
    if (home === null) return 'unknown'
    throw moving()
  }

  async function hereAfter(sessionId: string): Promise<Reached> {
    await underWay.get(sessionId)
    return 'here'
  }

  async function nextHome(sessionId: string, home: string, asked: 'absent' | 'gone', named: NamedSession) {
    if (asked === 'gone') return homes.take(sessionId, home, lifeOf(named))
    return { home: await homes.find(sessionId), isNew: false }
  }

  return {
    async reach(entrant, sessionId, body) {
      // It was found here when it was forwarded, and has ended since. Asking on could go round in circles.
      if (entrant.isForwarded) return 'unknown'
      try {
        const reached = await search(entrant, sessionId, body)
        if (reached instanceof Response) note('answered')
        if (reached === 'unknown') note('unknown')
        return reached
      } catch (error) {
        note('unavailable')
        throw error instanceof StoreLost ? storeLost(error) : error
      }
    },
    rebuilding: (sessionId) => underWay.get(sessionId),
  }
}

const storeLost = (error: StoreLost) =>
  fault(
    'unavailable',
    'This session belongs to another process, which cannot be reached while the shared store is away. It goes on: try again in a moment',
    { retryAfterSec: 2, detail: error.message },
  )

const moving = () =>
  fault('unavailable', 'This session is moving to another process: try again in a moment', {
    retryAfterSec: 1,
  })
