import { randomUUID } from 'node:crypto'

/** A protocol session of a downstream, under a name of ours: the downstream's own never leaves this process. */
export interface PassedSession {
  readonly id: string
  readonly owner: string
  readonly downstreamId: string
}

export interface PassedSessions {
  /** Null: this owner has no such session. */
  find(owner: string, id: string): PassedSession | null
  /** The one for the downstream's id, made where it is new. */
  take(owner: string, downstreamId: string): PassedSession
  end(id: string): void
  endOwners(isEnded: (owner: string) => boolean): void
}

const maxSessions = 10_000
const perOwner = 100

export function createPassedSessions(): PassedSessions {
  const byId = new Map<string, PassedSession>()

  const ofOwner = (owner: string): PassedSession[] =>
    [...byId.values()].filter((session) => session.owner === owner)

  /** The longest unused go first. */
  function makeRoom(owner: string): void {
    const own = ofOwner(owner)
    const [oldestOwn] = own
    if (own.length >= perOwner && oldestOwn !== undefined) byId.delete(oldestOwn.id)
    const [oldest] = byId.keys()
    if (byId.size >= maxSessions && oldest !== undefined) byId.delete(oldest)
  }

  return {
    find(owner, id) {
      const session = byId.get(id)
      if (session === undefined || session.owner !== owner) return null
      byId.delete(id)
      byId.set(id, session)
      return session
    },
    take(owner, downstreamId) {
      const known = ofOwner(owner).find((session) => session.downstreamId === downstreamId)
      if (known !== undefined) return known
      makeRoom(owner)
      const session = { id: randomUUID(), owner, downstreamId }
      byId.set(session.id, session)
      return session
    },
    end(id) {
      byId.delete(id)
    },
    endOwners(isEnded) {
      for (const { id, owner } of byId.values()) if (isEnded(owner)) byId.delete(id)
    },
  }
}
