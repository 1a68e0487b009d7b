import type { ConnectionUseChange } from '../../../shared/connections.ts'
import { hourMs } from '../../../shared/durations.ts'
import type { Author } from '../../keys/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import type { TransactionSql } from '../../platform/database.ts'
import type { ConnectionStore } from '../store.ts'
import type { SavedConnection } from './saved-connection.ts'

/** Changes a connection and writes the audit entry in one transaction. Fault: `not_found`. */
type Change = (
  author: Author,
  id: string,
  action: 'connection.update',
  work: (sql: TransactionSql, connection: SavedConnection) => Promise<SavedConnection>,
) => Promise<SavedConnection | null>

/** What its owner sets of a saved connection. */
export function createConnectionChanges(change: Change, store: ConnectionStore, clock: Pick<Clock, 'now'>) {
  return {
    async updateLabel(author: Author, id: string, label: string | null): Promise<SavedConnection> {
      const changed = await change(author, id, 'connection.update', async (sql, before) => {
        await store.saveLabel(sql, id, label)
        return { ...before, label }
      })
      return existing(changed)
    },

    /** Has arguments and results of calls kept for so many hours from now on; with 0 no more. */
    async keepContent(author: Author, id: string, hours: number): Promise<SavedConnection> {
      const changed = await change(author, id, 'connection.update', async (sql, before) => {
        const contentKeptUntil = hours === 0 ? null : Math.floor(clock.now()) + hours * hourMs
        await store.saveContentKeptUntil(sql, id, contentKeptUntil)
        return { ...before, contentKeptUntil }
      })
      return existing(changed)
    },

    /** Changes what is decided about the use of the connection. Fault: `not_found`. */
    async updateUse(
      author: Author,
      { id, onChange, resultBytes, showsSecrets }: ConnectionUseChange,
    ): Promise<SavedConnection> {
      const changed = await change(author, id, 'connection.update', async (sql, before) => {
        const use = {
          onChange: onChange ?? before.use.onChange,
          resultBytes: resultBytes ?? before.use.resultBytes,
          showsSecrets: showsSecrets ?? before.use.showsSecrets,
        }
        await store.saveUse(sql, id, use)
        return { ...before, use }
      })
      return existing(changed)
    },
  }
}

/** Returns the connection. The transaction throws where there is none, so null is a programming error. */
export function existing(connection: SavedConnection | null): SavedConnection {
  if (connection === null) throw new TypeError('a change of a connection left none')
  return connection
}
