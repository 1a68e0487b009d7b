import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

import { hourMs, minuteMs } from '../../shared/durations.ts'
import type { BackupsState } from '../../shared/installation.ts'
import { errorMessage } from '../platform/error-message.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { createPeriodicJob } from '../platform/periodic-job.ts'
import type { Backup } from './backup.ts'
import { BackupFileTaken, unfinishedName, writeBackupFile } from './backup-file.ts'
import { BackupDamaged } from './read-backup.ts'

/** Backups that the server makes by itself, into a folder. */
export interface ScheduledBackups {
  /** What the console shows; null: none are made. */
  state(): BackupsState | null
  start(): void
  /** Cuts off a backup that is being made. */
  stop(): Promise<void>
}

interface ScheduleOptions {
  /** Null: none are made. */
  readonly folder: string | null
  readonly everyHours: number
  /** How many are kept. */
  readonly kept: number
  readonly backup: Backup
  /** Epoch ms. */
  readonly now: () => number
  readonly log: Log
  readonly metrics: Metrics
}

const lookEveryMs = minuteMs
const retryAfterMs = 10 * minuteMs
/** An unfinished file to which nothing was written for so long was left by a process that was killed. */
const abandonedMs = hourMs
/** Backups are named by the beginning of their interval, in UTC: `gatehouse-2026-01-31T00Z.backup`. */
const namePattern = /^gatehouse-(\d{4}-\d{2}-\d{2}T\d{2})Z\.backup$/

const nameOf = (slot: number): string => `gatehouse-${new Date(slot).toISOString().slice(0, 13)}Z.backup`

function slotOf(name: string): number | null {
  const [, text] = namePattern.exec(name) ?? []
  return text === undefined ? null : Date.parse(`${text}:00Z`)
}

/**
 * Makes one backup in each interval; intervals are counted from the epoch, so that one of 24 hours is a day of UTC. The
 * name of the file says the interval, and the first process that creates it makes the backup: several processes may
 * share a folder. Once the backup of an interval is there, the oldest ones beyond `kept` are deleted.
 */
export function createScheduledBackups(options: ScheduleOptions): ScheduledBackups {
  const { everyHours, kept, backup, now, log, metrics } = options
  const folder = options.folder === null ? null : resolve(options.folder)
  const everyMs = everyHours * hourMs
  const createdAt = now()
  let lastAt: number | null = null
  let failure: string | null = null
  let retryAt = 0
  const stopping = new AbortController()

  async function work(): Promise<void> {
    if (folder === null) return
    lastAt = await newestAt(folder)
    if (now() < retryAt) return
    const file = join(folder, nameOf(Math.floor(now() / everyMs) * everyMs))
    await removeAbandoned(folder, now())
    if (!existsSync(file) && !(await makeUnlessTaken(file))) return
    lastAt = await newestAt(folder)
    await removeOldest(folder, kept)
    // Whichever process made the backup of this interval, what had failed before is mended.
    failure = null
  }

  /** Makes the backup of an interval. Returns false when another process that shares the folder is making it. */
  async function makeUnlessTaken(file: string): Promise<boolean> {
    const stream = backup.stream().pipeThrough(new TransformStream(), { signal: stopping.signal })
    try {
      const { bytes } = await writeBackupFile(file, stream)
      log.info('a scheduled backup was written', { file, bytes })
      return true
    } catch (error) {
      if (error instanceof BackupFileTaken) return false
      throw error
    }
  }

  function onFailed(error: unknown): void {
    if (stopping.signal.aborted) return
    failure = reasonOf(error)
    retryAt = now() + retryAfterMs
    log.error('a scheduled backup failed', { folder, error })
  }

  const job = createPeriodicJob(lookEveryMs, work, onFailed)
  const isOld = (): boolean => now() - (lastAt ?? createdAt) > 2 * everyMs
  const state = (): BackupsState | null =>
    folder === null ? null : { folder, everyHours, lastAt, failure, isOld: isOld() }

  if (folder !== null) {
    metrics.observedGauge('backup_failed', '1 when the last scheduled backup failed, or is too old', () =>
      failure === null && !isOld() ? 0 : 1,
    )
    metrics.observedGauge(
      'backup_last_timestamp_seconds',
      'When the newest scheduled backup was written; 0 when there is none',
      () => (lastAt ?? 0) / 1_000,
    )
  }

  return {
    state,
    start() {
      if (folder === null) return
      job.start()
      void job.run().catch(onFailed)
    },
    stop() {
      stopping.abort()
      return job.stop()
    },
  }
}

async function finishedSlots(folder: string): Promise<number[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const slots = (await readdir(folder)).map(slotOf).filter((slot) => slot !== null)
  return slots.sort((one, other) => one - other)
}

async function newestAt(folder: string): Promise<number | null> {
  const newest = (await finishedSlots(folder)).at(-1)
  return newest === undefined ? null : Math.round((await stat(join(folder, nameOf(newest)))).mtimeMs)
}

/** Removes what killed processes left of the backups of any interval: each may be as large as a whole one. */
async function removeAbandoned(folder: string, now: number): Promise<void> {
  const ending = unfinishedName('')
  const unfinished = (await readdir(folder)).filter(
    (name) => name.endsWith(ending) && slotOf(basename(name, ending)) !== null,
  )
  for (const name of unfinished) {
    const path = join(folder, name)
    // Another process may have finished it since.
    const found = await stat(path).catch(() => null)
    if (found !== null && now - found.mtimeMs > abandonedMs) await rm(path, { force: true })
  }
}

async function removeOldest(folder: string, kept: number): Promise<void> {
  const slots = await finishedSlots(folder)
  for (const slot of slots.slice(0, -kept)) await rm(join(folder, nameOf(slot)), { force: true })
}

/** What operators read: the reason alone, which a disk gives as a code. */
function reasonOf(error: unknown): string {
  if (error instanceof BackupDamaged) return `the backup ${error.message}`
  return errorMessage(error)
}
