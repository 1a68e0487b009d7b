import { randomUUID } from 'node:crypto'

import type { Vault } from '../../platform/vault.ts'

/**
 * A protocol session of a tool server under an id of ours, so that nobody outside sees the server's own id.
 */
export interface PassedSession {
  readonly id: string
  readonly owner: string
  readonly downstreamId: string
  /** What its client can be asked, as it said when it began (`askableOf`). */
  readonly askable: string
}

export interface PassedSessions {
  /** Returns null when this owner has no such session. */
  find(owner: string, id: string): PassedSession | null
  /** Returns the session for the tool server's id, and makes it if it is new. */
  take(owner: string, downstreamId: string, askable: string): PassedSession
  end(id: string): void
  endOwners(isEnded: (owner: string) => boolean): void
}

const maxSessions = 10_000
const perOwner = 100
/** A longer id would make a header that clients may refuse. */
const maxSealedChars = 1_024

/**
 * Maps session ids. Our id is the tool server's own id and what the client can be asked, sealed for its owner, so that every process can continue
 * the session, also after a restart. The map saves opening the seal each time.
 */
export function createPassedSessions(vault: Vault): PassedSessions {
  const byId = new Map<string, PassedSession>()

  const ofOwner = (owner: string): PassedSession[] =>
    [...byId.values()].filter((session) => session.owner === owner)

  /** Removes the sessions that were unused for the longest time. */
  function makeRoom(owner: string): void {
    const own = ofOwner(owner)
    const [oldestOwn] = own
    if (own.length >= perOwner && oldestOwn !== undefined) byId.delete(oldestOwn.id)
    const [oldest] = byId.keys()
    if (byId.size >= maxSessions && oldest !== undefined) byId.delete(oldest)
  }

  function opened(owner: string, id: string): PassedSession | null {
    try {
      const [downstreamId = '', askable = ''] = vault.open(id, placeOf(owner)).split(separator)
      return { id, owner, downstreamId, askable }
    } catch (error) {
      if (error instanceof Error) return null // invented, altered, or another owner's
      throw error
    }
  }

  return {
    find(owner, id) {
      const known = byId.get(id)
      const session = known === undefined ? opened(owner, id) : known
      if (session === null || session.owner !== owner) return null
      if (known === undefined) makeRoom(owner)
      byId.delete(id)
      byId.set(id, session)
      return session
    },
    take(owner, downstreamId, askable) {
      const known = ofOwner(owner).find((session) => session.downstreamId === downstreamId)
      if (known !== undefined) return known
      makeRoom(owner)
      const isLong = downstreamId.length > maxSealedChars
      const sealed = askable === '' ? downstreamId : `${downstreamId}${separator}${askable}`
      const id = isLong ? randomUUID() : vault.seal(sealed, placeOf(owner))
      const session = { id, owner, downstreamId, askable }
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

/** No id has one, as it comes in a header. */
const separator = '\n'

const placeOf = (owner: string): string => `pass-through:${owner}`
