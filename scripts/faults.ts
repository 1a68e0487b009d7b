/** `npm run test:faults`: three processes behind nginx, and what ordinarily goes wrong around them. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { print } from './print.ts'
import { readScriptArguments } from './script-arguments.ts'
import { breachesOf, type RunVerdict, verdictOf } from './world/fault-table/judge.ts'
import { runFaultTable } from './world/fault-table/run.ts'
import { runSoak } from './world/fault-table/soak.ts'
import { flatnessOf } from './world/fault-table/soak-judge.ts'
import { formatRun } from './world/fault-table/table.ts'

const help = `Three processes behind nginx, with PostgreSQL and a standby, pgbouncer and a cluster of Redis, under load.
Every 15 seconds something goes wrong; at the end a table says what callers saw. Exits with 1 when a promise was broken, and
with 2 when none was, but processes had to wait for a processor in more than a fifth of the time: then it says nothing about times.

  npm run test:faults                     each fault once: two and a half minutes
  npm run test:faults -- --minutes 20     again and again for so long
  npm run test:faults -- --seed 7         in the order and at the processes of an earlier run
  npm run test:faults -- --soak --minutes 60   half of the load and no fault: memory, descriptors and lag stay flat

Needs the Debian packages faketime nginx-light openssl pgbouncer postgresql redis-server; a data folder is filled only where
this runs as root, with util-linux.
`

const { values } = readScriptArguments(
  { name: 'test:faults', help },
  { options: { minutes: { type: 'string' }, seed: { type: 'string' }, soak: { type: 'boolean' } } },
)
const minutes = readNumber('minutes')
const seed = readNumber('seed') ?? Math.floor(Math.random() * 2 ** 31)
const ownMounts = 'FAULT_TABLE_OWN_MOUNTS'
if (process.getuid?.() === 0 && process.env[ownMounts] === undefined) process.exit(await inOwnMounts())

const hasOwnMounts = process.env[ownMounts] === '1'
const remarks: Readonly<Record<string, string>> = {
  true: '',
  false: ': grows',
  null: ': the machine had no time',
}
const exitCodes: Readonly<Record<RunVerdict, number>> = { held: 0, broken: 1, inconclusive: 2 }
process.exit(exitCodes[await (values.soak === true ? soak(minutes ?? 60) : survive())])

async function survive(): Promise<RunVerdict> {
  print(`seed ${seed}`)
  const { record, logs } = await runFaultTable({ minutes, seed, hasOwnMounts, report: print })
  const verdict = verdictOf(record)
  print(formatRun(record, breachesOf(record), verdict))
  if (verdict === 'broken') print(`What the processes wrote is in ${keep(logs)}`)
  return verdict
}

function keep(logs: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-faults-'))
  for (const [index, log] of logs.entries()) writeFileSync(join(folder, `process-${index + 1}.log`), log)
  return folder
}

async function soak(forMinutes: number): Promise<RunVerdict> {
  const { record, samples } = await runSoak(forMinutes, hasOwnMounts)
  const verdict = verdictOf(record)
  print(formatRun(record, breachesOf(record), verdict))
  const flatness = flatnessOf(samples)
  for (const { process: name, measure, early, late, isFlat } of flatness)
    print(`${name}: ${measure} ${early.toFixed(0)}, then ${late.toFixed(0)}${remarks[String(isFlat)]}`)
  if (flatness.some(({ isFlat }) => isFlat === false)) return 'broken'
  return verdict === 'held' && flatness.some(({ isFlat }) => isFlat === null) ? 'inconclusive' : verdict
}

/** Runs this program again where it may have small file systems of its own, which end with it. */
async function inOwnMounts(): Promise<number> {
  const command = ['unshare', '--mount', process.execPath, import.meta.path, ...process.argv.slice(2)]
  const child = Bun.spawn([...command, `--seed=${seed}`], {
    env: { ...process.env, [ownMounts]: '1' },
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  return await child.exited
}

function readNumber(name: 'minutes' | 'seed'): number | null {
  const text = values[name]
  if (text === undefined) return null
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  process.stderr.write(`test:faults: --${name}: expected a whole number above 0\n`)
  process.exit(1)
}
