import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import * as z from 'zod/mini'

import { emptyChain } from '../../../shared/audit.ts'
import type { ArchivedMonth, AuditEvent, ChainBreak, ChainHead, ChainPart } from '../../../shared/audit.ts'
import type { Database, TransactionSql } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import { type Sha256, checkEvents } from '../chain.ts'
import type { AuditStore } from '../store.ts'
import { archiveFileName, readArchiveFile, writeArchiveFile } from './archive-file.ts'

interface ArchiveParts {
  readonly database: Database
  readonly store: AuditStore
  readonly sha256: Sha256
  /** Records in the log itself that a month was archived. */
  readonly record: (sql: TransactionSql, month: ArchivedMonth) => Promise<void>
  /** Epoch ms. */
  readonly now: () => number
}

export type Archive = ReturnType<typeof createArchive>

const pageSize = 1_000

/** `2026-01`, in UTC. */
const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7)

/** What a line needs for the chain to be followed; the hash tells whether the rest is right. */
const Line = z.looseObject({ seq: z.int(), hash: z.string(), previousHash: z.string() })

/**
 * Moves whole months of the log into files, the oldest first. The head of the chain at the end of each month stays in
 * the database: a check of the database goes on from there, and a check of a file has to arrive there. A month is
 * written and on the disk before its head is stored, and its events are deleted after that; whatever a crash leaves of
 * them is deleted by the next run. A file whose head was not stored is taken by the next run when it is the whole month.
 */
export function createArchive({ database, store, sha256, record, now }: ArchiveParts) {
  /** Says whether a process wrote an event while its clock was ahead: no month begins or ends with it. */
  const isAhead = ({ at }: AuditEvent): boolean => monthOf(at) > monthOf(now())

  /** The events of a month; reports each head that it has reached. Fault: `conflict` where the chain is broken. */
  async function* eventsOf(month: string, start: ChainHead, onHead: (head: ChainHead) => void) {
    let head = start
    for (;;) {
      const page = await store.readAfter(head.seq, pageSize)
      // Clocks of processes differ: an event that names an earlier month than the one before, or one to come, goes with it.
      const end = page.findIndex((event) => monthOf(event.at) > month && !isAhead(event))
      const events = end === -1 ? page : page.slice(0, end)
      const checked = checkEvents(head, events, null, sha256)
      if (checked.firstBad !== null) {
        throw fault('conflict', `Event ${checked.firstBad.seq} is not as it was recorded; see audit verify`)
      }
      head = checked.head
      onHead(head)
      yield* events
      if (end !== -1 || page.length < pageSize) return
    }
  }

  async function archiveMonth(month: string, start: ChainHead, path: string): Promise<ArchivedMonth> {
    let head = start
    const events = eventsOf(month, start, (next) => {
      head = next
    })
    if (existsSync(path)) {
      // An earlier run may have written it, and then lost the database before it could store the head.
      await Array.fromAsync(events, ({ seq }) => seq) // goes to the head of the month
      await requireSame(path, month, start, head)
    } else await writeArchiveFile(path, events)
    const archived = { month, seq: head.seq, hash: head.hash }
    await database.transaction(async (sql) => {
      await store.saveArchived(sql, archived, now())
      await record(sql, archived) // last: it takes the chain's lock
    })
    return archived
  }

  /** Fault: `conflict` for a file that is not the whole month as it is in the database. */
  async function requireSame(path: string, month: string, start: ChainHead, end: ChainHead): Promise<void> {
    const { head, firstBad } = await followFile(path, start, null)
    if (firstBad === null && differenceAt(end, head) === null) return
    throw fault(
      'conflict',
      `${month} is not archived: ${path} exists, is not the whole month, and is not overwritten; move it away`,
    )
  }

  return {
    /** The months that are in files, in their order. */
    months: (): Promise<ArchivedMonth[]> => store.archivedMonths(),

    /**
     * Archives the oldest month that ended before the month `before`; never the present one. A file that is the whole
     * month already is kept as it is. Null: there is none. Fault: `conflict` for another file of that name, and for a log
     * that is broken.
     */
    async archiveOldest(before: string, folder: string): Promise<ArchivedMonth | null> {
      const start = await store.archivedHead()
      await store.deleteThrough(start.seq)
      const first = (await store.readAfter(start.seq, pageSize)).find((event) => !isAhead(event))
      if (first === undefined) return null
      const month = monthOf(first.at)
      if (month >= before || month >= monthOf(now())) return null
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, archiveFileName(month))
      const archived = await archiveMonth(month, start, path)
      await store.deleteThrough(archived.seq)
      return archived
    },

    /** Checks the file of one month. Fault: `not_found` for a month that was not archived, and for a missing file. */
    async verifyMonth(month: string, folder: string, remembered: ChainHead | null): Promise<ChainPart> {
      const months = await store.archivedMonths()
      const place = months.findIndex((one) => one.month === month)
      const end = months[place]
      const path = join(folder, archiveFileName(month))
      if (end === undefined) throw fault('not_found', `${month} was not archived`)
      if (!existsSync(path)) throw fault('not_found', `There is no file ${path}`)
      const { seq, hash } = months[place - 1] ?? emptyChain
      const { head, firstBad } = await followFile(path, { seq, hash }, remembered)
      return {
        checked: head.seq - seq,
        head,
        firstBad: firstBad ?? differenceAt(end, head),
        isComplete: true,
      }
    },
  }

  async function followFile(path: string, start: ChainHead, remembered: ChainHead | null) {
    let head = start
    try {
      for await (const line of readArchiveFile(path)) {
        const { data } = z.safeParse(Line, line)
        if (data === undefined) return { head, firstBad: alteredAfter(head) }
        // Whatever else the line lacks changes the text that is hashed.
        const checked = checkEvents(head, [data as unknown as AuditEvent], remembered, sha256)
        if (checked.firstBad !== null) return checked
        head = checked.head
      }
      return { head, firstBad: null }
    } catch (error) {
      // The decompressor and the JSON parser throw at a damaged file.
      if (error instanceof Error) return { head, firstBad: alteredAfter(head) }
      throw error
    }
  }
}

const alteredAfter = ({ seq }: ChainHead): ChainBreak => ({ seq: seq + 1, reason: 'altered' })

/** Whether a file that is right in itself ends where the month ended when it was archived. */
function differenceAt(end: ChainHead, head: ChainHead): ChainBreak | null {
  if (head.seq < end.seq) return { seq: head.seq + 1, reason: 'missing' }
  if (head.seq > end.seq || head.hash !== end.hash) return { seq: end.seq, reason: 'not_as_remembered' }
  return null
}
