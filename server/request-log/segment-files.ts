import { appendFile, mkdir, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { LoggedRequest } from '../../shared/request-log.ts'
import { writeWholeFile } from '../platform/whole-file.ts'
import { formatLine, parseLine } from './entry-lines.ts'
import {
  isFull,
  parseSegmentName,
  planRemovals,
  type Segment,
  type SegmentBounds,
  type SegmentKind,
  segmentName,
} from './segment-plan.ts'

/** The files of the log: a folder for each account, with segments of lines. */
export interface SegmentFiles {
  /** Reads which segments there are. */
  load(): Promise<void>
  /** Appends lines to the newest segment. Rejects when the disk is full; a part of the lines may be written then. */
  append(accountId: string, kind: SegmentKind, lines: string, now: number): Promise<void>
  /** Returns accounts with requests, those with the newest ones first. */
  accounts(): string[]
  /** Returns the segments of an account, the newest first. */
  of(accountId: string, kind: SegmentKind): readonly Segment[]
  /** Returns the lines of a segment, the newest first; none if it was removed meanwhile. */
  lines(segment: Segment): Promise<string[]>
  removeOld(now: number): Promise<void>
  /** Writes the segments of an account without the requests that are not to be kept. */
  retain(accountId: string, isKept: (request: LoggedRequest) => boolean): Promise<void>
  bytes(): number
}

const accountForm = /^[\w-]{1,80}$/

export function createSegmentFiles(folder: string, bounds: SegmentBounds): SegmentFiles {
  const segments: Segment[] = []
  /** The segments that are appended to, by account and kind. */
  const current = new Map<string, Segment>()
  let made = 0

  const pathOf = ({ accountId, name }: Segment): string => join(folder, accountId, name)

  async function open(accountId: string, kind: SegmentKind, now: number): Promise<Segment> {
    await mkdir(join(folder, accountId), { recursive: true, mode: 0o700 })
    const name = segmentName(kind, now, made++)
    const segment = { accountId, kind, startedAt: now, name, bytes: 0, newestAt: now }
    segments.push(segment)
    return segment
  }

  async function remove(segment: Segment): Promise<void> {
    await rm(pathOf(segment), { force: true })
    const of = `${segment.accountId} ${segment.kind}`
    if (current.get(of) === segment) current.delete(of)
    segments.splice(segments.indexOf(segment), 1)
    if (segments.some(({ accountId }) => accountId === segment.accountId)) return
    await rmdir(join(folder, segment.accountId)).catch(() => undefined) // It may hold a file that is not ours.
  }

  async function loadAccount(accountId: string): Promise<void> {
    for (const name of await readdir(join(folder, accountId))) {
      const known = parseSegmentName(name)
      if (known === null) continue
      const { size, mtimeMs } = await stat(join(folder, accountId, name))
      const { kind, startedAt, number } = known
      segments.push({ accountId, name, kind, startedAt, bytes: size, newestAt: mtimeMs })
      made = Math.max(made, number + 1) // A segment of a process before this one may end in half a line.
    }
  }

  async function rewrite(segment: Segment, isKept: (request: LoggedRequest) => boolean): Promise<void> {
    const lines = (await readLines(pathOf(segment))).toReversed()
    const kept = lines.filter((line) => {
      const request = parseLine(line)
      return request !== null && isKept(request)
    })
    if (kept.length === lines.length) return
    if (kept.length === 0) return remove(segment)
    const content = `${kept.join('\n')}\n`
    await writeWholeFile(pathOf(segment), content)
    segment.bytes = Buffer.byteLength(content)
  }

  return {
    async load() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      for (const entry of await readdir(folder, { withFileTypes: true }))
        if (entry.isDirectory() && accountForm.test(entry.name)) await loadAccount(entry.name)
      segments.sort((one, other) => one.startedAt - other.startedAt || (one.name < other.name ? -1 : 1))
    },
    async append(accountId, kind, lines, now) {
      if (!accountForm.test(accountId)) throw new TypeError('an account whose id is no name of a folder')
      const of = `${accountId} ${kind}`
      let segment = current.get(of)
      if (segment === undefined || isFull(segment, now, bounds)) segment = await open(accountId, kind, now)
      // A failure may leave half a line, which must not be continued: the next lines go to a new segment.
      current.delete(of)
      await appendFile(pathOf(segment), lines, { mode: 0o600 })
      segment.bytes += Buffer.byteLength(lines)
      segment.newestAt = now
      current.set(of, segment)
    },
    accounts() {
      const newestAt = new Map<string, number>()
      for (const segment of segments) {
        newestAt.set(segment.accountId, Math.max(newestAt.get(segment.accountId) ?? 0, segment.newestAt))
      }
      return [...newestAt].toSorted(([, one], [, other]) => other - one).map(([accountId]) => accountId)
    },
    of: (accountId, kind) =>
      segments.filter((each) => each.accountId === accountId && each.kind === kind).toReversed(),
    lines: (segment) => readLines(pathOf(segment)),
    async removeOld(now) {
      for (const segment of planRemovals(segments, now, bounds)) await remove(segment)
    },
    async retain(accountId, isKept) {
      for (const segment of segments.filter((each) => each.accountId === accountId))
        await rewrite(segment, isKept)
    },
    bytes: () => segments.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

async function readLines(path: string): Promise<string[]> {
  try {
    return (await readFile(path, 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .toReversed()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

export const linesOf = (requests: readonly LoggedRequest[]): string => requests.map(formatLine).join('')
