import { afterEach, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { silentLog } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { dayMs, hourMs } from '../../shared/durations.ts'
import { createMetrics } from '../platform/metrics.ts'
import type { Backup } from './backup.ts'
import { recordLine } from './format.ts'
import { type ScheduledBackups, createScheduledBackups } from './scheduled-backups.ts'
import { sampleBackup, sampleHeader } from './test-support/sample-backup.ts'

/** One instant for all, so that no test runs into the next day of UTC. */
const loadedAt = Date.now()
const folders: string[] = []
const schedules: ScheduledBackups[] = []
afterEach(async () => {
  await Promise.all(schedules.splice(0).map((schedule) => schedule.stop()))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-schedule-'))
  folders.push(folder)
  return folder
}

const whole = (): Uint8Array =>
  sampleBackup([{ table: 'services', text: 'one\ttwo\n', count: 1 }], { services: 1, verifiers: 0 })
const failed = (): Uint8Array =>
  Buffer.concat([
    recordLine(sampleHeader({})),
    recordLine({ kind: 'failed', reason: 'the database is away' }),
  ])

interface Started {
  readonly schedule: ScheduledBackups
  readonly metrics: ReturnType<typeof createMetrics>
}

function start(
  folder: string,
  options: { now?: () => number; kept?: number; made?: () => Uint8Array } = {},
): Started {
  const { now = () => loadedAt, kept = 3, made = whole } = options
  const metrics = createMetrics()
  const backup: Backup = { stream: () => new Blob([new Uint8Array(made())]).stream() }
  const schedule = createScheduledBackups({
    folder,
    everyHours: 24,
    kept,
    backup,
    now,
    log: silentLog,
    metrics,
  })
  schedules.push(schedule)
  schedule.start()
  return { schedule, metrics }
}

const finished = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.backup'))
    .sort()

const nameOfDay = (at: number): string => `gatehouse-${new Date(at).toISOString().slice(0, 10)}T00Z.backup`

test('a backup is made at once where there is none of this interval, once for all who share the folder', async () => {
  const folder = newFolder()
  let asked = 0
  const made = () => {
    asked++
    return whole()
  }
  const started = [start(folder, { made }), start(folder, { made }), start(folder, { made })]
  await waitUntil('it is there', () => finished(folder).length === 1)
  await Promise.all(started.map(({ schedule }) => schedule.stop()))
  expect(finished(folder)).toEqual([nameOfDay(loadedAt)])
  expect(readFileSync(join(folder, finished(folder)[0] ?? ''))).toEqual(Buffer.from(whole()))
  expect(asked).toBeGreaterThan(0)
  start(folder, { made: failed })
  const again = start(folder, { made: failed })
  await again.schedule.stop()
  expect(again.schedule.state()).toMatchObject({ failure: null, isOld: false })
})

test('the oldest are deleted, and files of others stay', async () => {
  const folder = newFolder()
  const old = [1, 2, 3, 4].map((days) => nameOfDay(loadedAt - days * dayMs))
  for (const name of [...old, 'gatehouse-2020.backup', 'notes.txt']) writeFileSync(join(folder, name), '')
  start(folder, { kept: 3 })
  await waitUntil('the oldest are gone', () => !finished(folder).includes(old[2] ?? ''))
  await schedules[0]?.stop()
  expect(readdirSync(folder).sort()).toEqual(
    [nameOfDay(loadedAt), old[0], old[1], 'gatehouse-2020.backup', 'notes.txt'].sort() as string[],
  )
})

test('a failure is told, nothing is left of it, and the ones before stay', async () => {
  const folder = newFolder()
  const before = nameOfDay(loadedAt - dayMs)
  writeFileSync(join(folder, before), '')
  const { schedule, metrics } = start(folder, { kept: 1, made: failed })
  await waitUntil('it failed', () => schedule.state()?.failure !== null)
  expect(schedule.state()?.failure).toBe('the backup was not finished: the database is away')
  expect(readdirSync(folder)).toEqual([before])
  expect(await metrics.render()).toContain('gatehouse_backup_failed 1')
})

test('a failure is over once another process that shares the folder has made the backup', async () => {
  const folder = newFolder()
  let at = Date.UTC(2026, 0, 31, 12)
  const intervals = spyOn(globalThis, 'setInterval')
  const { schedule, metrics } = start(folder, { now: () => at, made: failed })
  const lookAgain = intervals.mock.calls[0]?.[0]
  intervals.mockRestore()
  await waitUntil('it failed', () => schedule.state()?.failure !== null)
  start(folder, { now: () => at })
  await waitUntil('the other has made it', () => finished(folder).length === 1)
  at += hourMs
  lookAgain?.()
  await waitUntil('it is no failure any more', () => schedule.state()?.failure === null)
  expect(await metrics.render()).toContain('gatehouse_backup_failed 0')
})

test('a folder that cannot be written to is told', async () => {
  const { schedule } = start('/dev/null/backups')
  await waitUntil('it failed', () => schedule.state()?.failure !== null)
  expect(schedule.state()?.failure).toContain('ENOTDIR')
})

test('one that is older than two intervals is too old, whatever else is the matter', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, nameOfDay(loadedAt - 3 * dayMs)), '')
  const days = (count: number): Date => new Date(loadedAt - count * dayMs)
  utimesSync(join(folder, nameOfDay(loadedAt - 3 * dayMs)), days(3), days(3))
  const { schedule, metrics } = start(folder, { made: failed })
  await waitUntil('it was looked for', () => schedule.state()?.isOld === true)
  expect(await metrics.render()).toMatch(/gatehouse_backup_last_timestamp_seconds \d{10}/)
})

test('what a killed process left unfinished does not stand in the way for ever', async () => {
  const folder = newFolder()
  const unfinished = join(folder, `${nameOfDay(loadedAt)}.unfinished`)
  writeFileSync(unfinished, 'cut off')
  const first = start(folder)
  await first.schedule.stop()
  expect(finished(folder)).toEqual([])
  utimesSync(unfinished, new Date(loadedAt - 2 * hourMs), new Date(loadedAt - 2 * hourMs))
  start(folder)
  await waitUntil('it is made', () => finished(folder).length === 1)
  await schedules.at(-1)?.stop()
  expect(readdirSync(folder)).toEqual([nameOfDay(loadedAt)])
})

test('what killed processes left of earlier intervals is removed, and files of others stay', async () => {
  const folder = newFolder()
  const left = [1, 2, 3].map((days) => `${nameOfDay(loadedAt - days * dayMs)}.unfinished`)
  const ofOthers = ['before-upgrade.backup.unfinished', 'gatehouse-2020.backup.unfinished']
  const old = new Date(loadedAt - 2 * hourMs)
  for (const name of [...left, ...ofOthers]) writeFileSync(join(folder, name), 'cut off')
  for (const name of [...left.slice(1), ...ofOthers]) utimesSync(join(folder, name), old, old)
  await start(folder).schedule.stop()
  const underWay = left[0] ?? ''
  expect(readdirSync(folder).sort()).toEqual([...ofOthers, underWay].sort())
})

test('a stop does not wait for a backup that is being made, and leaves nothing of it', async () => {
  const folder = newFolder()
  const backup: Backup = { stream: () => new ReadableStream({ pull: () => new Promise(() => undefined) }) }
  const options = {
    folder,
    everyHours: 24,
    kept: 3,
    now: () => loadedAt,
    log: silentLog,
    metrics: createMetrics(),
  }
  const schedule = createScheduledBackups({ ...options, backup })
  schedule.start()
  await waitUntil('it is being made', () => readdirSync(folder).length === 1)
  await schedule.stop()
  expect(readdirSync(folder)).toEqual([])
  expect(schedule.state()?.failure).toBeNull()
})
