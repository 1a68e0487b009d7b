import { listIn, type StoreConnection } from '../../platform/shared-store/store-connection.ts'
import { StoreLost } from '../../platform/shared-store/store-link.ts'
import { findOwnerScript, renewOwnersScript, releaseOwnerScript, claimOwnerScript } from './scripts.ts'
import { sessionOwnerKey, presenceKey } from './store-keys.ts'

/**
 * Records which process owns a session that moved from the process which opened it. Every method rejects with
 * StoreLost.
 */
export interface OwnerDirectory {
  /** Returns the owner, or null when the session never moved. */
  find(sessionId: string): Promise<string | null>
  /** Makes this process the owner, unless another process was faster or `gone` is still present. */
  claim(sessionId: string, gone: string, lifeMs: number): Promise<{ owner: string; isNew: boolean }>
  /** Removes this process as the owner. */
  release(sessionId: string): Promise<void>
  /**
   * Returns those local sessions that another process has claimed. `lifeMs` is null for sessions that were
   * opened here.
   */
  claimedByOthers(sessions: readonly { id: string; lifeMs: number | null }[]): Promise<string[]>
}

const atOnce = 500

export function createOwnerDirectory(connection: StoreConnection, processId: string): OwnerDirectory {
  return {
    async find(sessionId) {
      const owner = await connection.run(findOwnerScript, [sessionOwnerKey(sessionId)], [])
      return typeof owner === 'string' ? owner : null
    },

    async claim(sessionId, gone, lifeMs) {
      const keys = [sessionOwnerKey(sessionId), presenceKey(gone)]
      const answer = await connection.run(claimOwnerScript, keys, [
        gone,
        processId,
        Math.max(1, Math.ceil(lifeMs)),
      ])
      const [owner, isNew] = listIn(answer)
      if (typeof owner !== 'string') throw new StoreLost('an unexpected answer')
      return { owner, isNew: isNew === 1 }
    },

    async release(sessionId) {
      await connection.run(releaseOwnerScript, [sessionOwnerKey(sessionId)], [processId])
    },

    async claimedByOthers(sessions) {
      const lost: string[] = []
      for (let first = 0; first < sessions.length; first += atOnce) {
        const some = sessions.slice(first, first + atOnce)
        const lives = some.map(({ lifeMs }) => (lifeMs === null ? 0 : Math.max(1, Math.ceil(lifeMs))))
        const keys = some.map(({ id }) => sessionOwnerKey(id))
        const places = listIn(await connection.run(renewOwnersScript, keys, [processId, ...lives]))
        lost.push(...some.filter((_, index) => places.includes(index)).map(({ id }) => id))
      }
      return lost
    },
  }
}
