import type { KeyObject } from 'node:crypto'

import type { Family } from '../../../shared/chains.ts'
import { readPublicKey } from './signature.ts'
import type { Verifier } from './verifier.ts'

/** A verifier that may report, with its column in the observation table and the state that its last batches left. */
export interface ActiveVerifier {
  readonly verifier: Verifier
  readonly column: number
  readonly key: KeyObject
  lastBodyHash: string | null
  /** Epoch ms of its first report; 0 if that was before this start, null if there was none or it is set aside. */
  joinedAt: number | null
  isIsolated: boolean
  isEjected: boolean
  /** Chains of which the verifier sees an old head as the newest. */
  readonly staleChains: Set<string>
  readonly hasStaleView: boolean
}

/** The active verifiers in memory. Of revoked ones only the ids are stored, so that they get the right refusal. */
export interface ActiveVerifiers {
  find(id: string): ActiveVerifier | undefined
  isRevoked(id: string): boolean
  atColumn(column: number): ActiveVerifier | undefined
  all(): IterableIterator<ActiveVerifier>
  /**
   * Returns how many verifiers should report on services of a family: the active ones whose first report was at `joinedBy` (epoch
   * ms) or earlier. One that has only just joined may need a moment for its first probe of a service.
   */
  assigned(family: Family, joinedBy: number): number
  /** Must be called when a verifier has reported for the first time, because that changes the quorum. */
  changed(): void
  /** Takes verifiers that were silent since `silentSince` (epoch ms) out of all quorums until their next report. */
  setAside(silentSince: number): ActiveVerifier[]
  put(verifier: Verifier): ActiveVerifier
  /** Deactivates a verifier, which may become active again. */
  remove(id: string): ActiveVerifier | undefined
  /** Deactivates a verifier for good. Its requests are refused with `verifier_revoked` from now on. */
  revoke(id: string): ActiveVerifier | undefined
}

export function createActiveVerifiers(): ActiveVerifiers {
  const listed = new Map<string, ActiveVerifier>()
  const revoked = new Set<string>()
  const byColumn: (ActiveVerifier | undefined)[] = []
  const freeColumns: number[] = []
  /** The instants at which the verifiers of a family joined, ascending. */
  const joinedByFamily = new Map<Family, number[]>()

  function joinedAts(family: Family): number[] {
    const known = joinedByFamily.get(family)
    if (known) return known
    const joined: number[] = []
    for (const { verifier, joinedAt } of listed.values()) {
      if (joinedAt !== null && verifier.families.includes(family)) joined.push(joinedAt)
    }
    joined.sort((left, right) => left - right)
    joinedByFamily.set(family, joined)
    return joined
  }

  function remove(id: string): ActiveVerifier | undefined {
    const entry = listed.get(id)
    if (!entry) return undefined
    listed.delete(id)
    byColumn[entry.column] = undefined
    freeColumns.push(entry.column)
    joinedByFamily.clear()
    return entry
  }

  return {
    find: (id) => listed.get(id),
    isRevoked: (id) => revoked.has(id),
    atColumn: (column) => byColumn[column],
    all: () => listed.values(),
    assigned(family, joinedBy) {
      const joined = joinedAts(family)
      const latest = joined.at(-1) ?? joinedBy
      return latest <= joinedBy ? joined.length : joined.filter((at) => at <= joinedBy).length
    },
    changed: () => joinedByFamily.clear(),
    setAside(silentSince) {
      const silent = [...listed.values()].filter(
        ({ verifier, joinedAt }) => joinedAt !== null && (verifier.lastSeenAt ?? joinedAt) < silentSince,
      )
      for (const entry of silent) entry.joinedAt = null
      joinedByFamily.clear()
      return silent
    },
    put(verifier) {
      const key = readPublicKey(verifier.publicKey)
      if (!key) throw new TypeError(`verifier ${verifier.id} has no Ed25519 key`)
      const column = listed.get(verifier.id)?.column ?? freeColumns.pop() ?? byColumn.length
      const entry: ActiveVerifier = {
        verifier,
        column,
        key,
        lastBodyHash: null,
        joinedAt: verifier.lastSeenAt === null ? null : 0,
        isIsolated: false,
        isEjected: false,
        staleChains: new Set(),
        get hasStaleView() {
          return this.staleChains.size > 0
        },
      }
      listed.set(verifier.id, entry)
      byColumn[column] = entry
      joinedByFamily.clear()
      return entry
    },
    remove,
    revoke(id) {
      revoked.add(id)
      return remove(id)
    },
  }
}
