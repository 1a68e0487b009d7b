import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One change of the database. */
export interface Migration {
  /** Name of its file, such as `0030_connection_oauth`. */
  readonly tag: string
  /** When it was written (epoch ms): migrations are in this order, and known by it in the database. */
  readonly madeAt: number
  readonly hash: string
  readonly statements: readonly string[]
}

interface Journal {
  readonly entries: readonly { readonly tag: string; readonly when: number }[]
}

/** Reads the folder that drizzle-kit wrote. */
export function readMigrations(folder: string): Migration[] {
  const { entries } = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as Journal
  return entries.map(({ tag, when }) => {
    const text = readFileSync(join(folder, `${tag}.sql`), 'utf8')
    return {
      tag,
      madeAt: when,
      hash: createHash('sha256').update(text).digest('hex'),
      statements: text.split('--> statement-breakpoint'),
    }
  })
}
