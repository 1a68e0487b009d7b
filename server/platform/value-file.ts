import { Database } from 'bun:sqlite'

/** Texts by key in one file, which outlive `kill -9`; a power cut takes the last moments at most. */
export interface ValueFile {
  all(): [key: string, text: string][]
  /** Writes all changes or none; null deletes. Returns when the system has them. */
  write(changes: readonly (readonly [key: string, text: string | null])[]): void
  close(): void
}

/** Throws when the file cannot be opened. */
export function openValueFile(path: string): ValueFile {
  const file = new Database(path, { create: true, readwrite: true })
  file.run('PRAGMA journal_mode = WAL')
  file.run('PRAGMA synchronous = NORMAL')
  file.run('CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID')
  const put = file.prepare('INSERT OR REPLACE INTO kept (key, text) VALUES (?, ?)')
  const drop = file.prepare('DELETE FROM kept WHERE key = ?')
  const writeAll = file.transaction((changes: Parameters<ValueFile['write']>[0]) => {
    for (const [key, text] of changes) {
      if (text === null) drop.run(key)
      else put.run(key, text)
    }
  })
  return {
    all: () =>
      file
        .query<{ key: string; text: string }, []>('SELECT key, text FROM kept')
        .all()
        .map(({ key, text }) => [key, text]),
    write(changes) {
      if (changes.length > 0) writeAll(changes)
    },
    close: () => file.close(),
  }
}
