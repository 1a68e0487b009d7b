import { listIn, type StoreConnection } from '../../platform/shared-store/store-connection.ts'
import { StoreLost } from '../../platform/shared-store/store-link.ts'
import { findScript, keepScript, leaveHomeScript, takeScript } from './scripts.ts'
import { homeOf, presenceOf } from './store-keys.ts'

/** Which process has a session, where it is not the one that opened it. Everything rejects with StoreLost. */
export interface Homes {
  /** Null: it was never rebuilt. */
  find(sessionId: string): Promise<string | null>
  /** Makes this process the home, unless another one was quicker or `gone` is not gone. */
  take(sessionId: string, gone: string, lifeMs: number): Promise<{ home: string; isNew: boolean }>
  /** This process does not have it after all. */
  leave(sessionId: string): Promise<void>
  /** Of the sessions that are here, those whose home is another process by now. `lifeMs`: null where it was opened here. */
  lost(sessions: readonly { id: string; lifeMs: number | null }[]): Promise<string[]>
}

const atOnce = 500

export function createHomes(connection: StoreConnection, self: string): Homes {
  return {
    async find(sessionId) {
      const home = await connection.run(findScript, [homeOf(sessionId)], [])
      return typeof home === 'string' ? home : null
    },

    async take(sessionId, gone, lifeMs) {
      const keys = [homeOf(sessionId), presenceOf(gone)]
      const answer = await connection.run(takeScript, keys, [gone, self, Math.max(1, Math.ceil(lifeMs))])
      const [home, isNew] = listIn(answer)
      if (typeof home !== 'string') throw new StoreLost('an unexpected answer')
      return { home, isNew: isNew === 1 }
    },

    async leave(sessionId) {
      await connection.run(leaveHomeScript, [homeOf(sessionId)], [self])
    },

    async lost(sessions) {
      const lost: string[] = []
      for (let first = 0; first < sessions.length; first += atOnce) {
        const some = sessions.slice(first, first + atOnce)
        const lives = some.map(({ lifeMs }) => (lifeMs === null ? 0 : Math.max(1, Math.ceil(lifeMs))))
        const keys = some.map(({ id }) => homeOf(id))
        const places = listIn(await connection.run(keepScript, keys, [self, ...lives]))
        lost.push(...some.filter((_, index) => places.includes(index)).map(({ id }) => id))
      }
      return lost
    },
  }
}
