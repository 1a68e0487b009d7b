import type { KeySync, SyncedKeys } from '../../keys/replicas/key-sync.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { ActiveVerifier, ActiveVerifiers } from './active-verifiers.ts'
import { restartFloor } from './report-sequence.ts'
import type { VerifierStore } from './store.ts'
import type { Verifier } from './verifier.ts'

/** What the database has of verifiers, in the memory of every process. */
export interface StoredVerifiers extends SyncedKeys {
  /** Built-in verifiers by public key. Those of data folders that no longer exist stay inactive. */
  readonly builtIns: Map<string, Verifier>
  /**
   * Asks the database for a verifier that is unknown here, because another process may just have enrolled it. Fault:
   * `unavailable` while the database is away: nobody may say then that there is no such verifier.
   */
  lookUp(id: string | null): Promise<void>
}

interface StoredVerifiersOptions {
  readonly store: Pick<VerifierStore, 'load' | 'some'>
  readonly activeVerifiers: ActiveVerifiers
  readonly keySync: Pick<KeySync, 'sync'>
  readonly clock: SteadyClock
  /** All verifiers were read. */
  readonly reloaded: () => Promise<void>
  /** A verifier is revoked, wherever that was done. */
  readonly dismissed: (id: string, revoked: ActiveVerifier | undefined) => void
}

export function createStoredVerifiers(options: StoredVerifiersOptions): StoredVerifiers {
  const { store, activeVerifiers, keySync, clock, reloaded, dismissed } = options
  const builtIns = new Map<string, Verifier>()
  let isStarting = true

  /** Active verifiers keep what their reports left in memory. */
  function take(verifiers: readonly Verifier[]): void {
    const now = Math.floor(clock.now())
    for (const verifier of verifiers) {
      const { id, isRevoked, isBuiltIn, publicKey, lastSeq } = verifier
      if (isRevoked) {
        if (!activeVerifiers.isRevoked(id)) dismissed(id, activeVerifiers.revoke(id))
      } else if (isBuiltIn) builtIns.set(publicKey, builtIns.get(publicKey) ?? verifier)
      else if (activeVerifiers.find(id) === undefined) {
        // One that enrols later has sent nothing yet that could be sent again.
        activeVerifiers.put(isStarting ? { ...verifier, lastSeq: restartFloor(lastSeq, now) } : verifier)
      }
    }
  }

  return {
    kind: 'verifier',
    builtIns,
    async reload() {
      take(await store.load())
      isStarting = false
      await reloaded()
    },
    refresh: async (ids) => take(await store.some(ids)),
    async lookUp(id) {
      if (id === null || !verifierIdPattern.test(id)) return
      if (activeVerifiers.find(id) === undefined && !activeVerifiers.isRevoked(id)) await keySync.sync()
    },
  }
}

/** Nobody asks the database for anything else that is sent in place of an id. */
const verifierIdPattern = /^ver_[0-9a-f]{24}$/
