import { RedisClient } from 'bun'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { type DecisionLog, createDecisionLog } from '../../../server/limits/test-support/decision-log.ts'
import { findFreePort } from '../free-port.ts'
import { type ChildProcess, startChild } from '../child-process.ts'
import { waitUntil } from '../wait-until.ts'
import type { Limit } from '../../../shared/limits.ts'
import { periodMs } from '../../../shared/periods.ts'
import { type LoggedDecision, readDecisionFile } from './decision-file.ts'
import type { NodeOrder, NodeSummary } from './order.ts'

export interface LimitNode {
  /** As the kernel would. */
  kill9(): Promise<void>
  /** Ends it and gives what it counted. */
  stop(): Promise<NodeSummary>
  /** What it admitted so far, also after it was killed. */
  admitted(): LoggedDecision[]
  hasAdmitted(): boolean
  isRunning(): boolean
}

const nodePath = fileURLToPath(new URL('./node.ts', import.meta.url))

function startNode(order: NodeOrder): LimitNode {
  const child = Bun.spawn([process.execPath, '--no-env-file', nodePath, JSON.stringify(order)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return {
    async kill9() {
      child.kill('SIGKILL')
      await child.exited
    },
    async stop() {
      await child.stdin.end()
      const summary = await new Response(child.stdout).text()
      await child.exited
      return JSON.parse(summary)
    },
    admitted: () => readDecisionFile(order.logPath),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    hasAdmitted: () => existsSync(order.logPath) && readDecisionFile(order.logPath).length > 0,
  }
}

/** So many at once, each with bursts of its own: those of `firstSeed`, of the next, and so on. */
export const startLimitNodes = (
  count: number,
  folder: string,
  order: Omit<NodeOrder, 'logPath' | 'seed'>,
  firstSeed = 1,
): LimitNode[] =>
  Array.from({ length: count }, (_, node) =>
    startNode({ ...order, logPath: join(folder, `node-${node}.log`), seed: firstSeed + node }),
  )

export const untilAllAdmit = (nodes: readonly LimitNode[]): Promise<void> =>
  waitUntil('every node admits', () => nodes.every((node) => node.hasAdmitted()), 20_000)

export interface TestStore {
  readonly url: string
  pause(): void
  resume(): void
  /** Killed, and started again without any of its data. */
  kill(): Promise<void>
  start(): Promise<void>
  /** How many scripts it has run since it was started. */
  scriptRuns(): Promise<number>
}

/** A Redis that keeps nothing on disk. */
export async function startStore(folder: string): Promise<TestStore> {
  const port = await findFreePort()
  let server: ChildProcess | null = null

  const store: TestStore = {
    url: `redis://127.0.0.1:${port}`,
    pause: () => server?.pause(),
    resume: () => server?.resume(),
    async kill() {
      await server?.stop()
      server = null
    },
    async start() {
      const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
      const started = startChild(['redis-server', ...settings, '--dir', folder])
      server = started
      await waitUntil('redis answers', () => started.output().includes('Ready to accept connections'))
    },
    async scriptRuns() {
      const client = new RedisClient(store.url)
      const statistics = String(await client.send('INFO', ['commandstats']))
      client.close()
      return Number(/cmdstat_evalsha:calls=(\d+)/.exec(statistics)?.[1] ?? 0)
    },
  }
  await store.start()
  return store
}

/** Admissions of several nodes in the order of the clock that they share. */
export const merge = (nodes: readonly LimitNode[]): LoggedDecision[] =>
  nodes.flatMap((node) => node.admitted()).toSorted((one, other) => one.at - other.at)

/** The same, as one key: what the limits of an account count of all its keys together. */
export const asOneKey = (admissions: readonly LoggedDecision[]): LoggedDecision[] =>
  admissions.map((admission) => ({ ...admission, key: 0 }))

/** The most that any interval of the limit's period holds. */
export function mostAdmitted(
  admissions: readonly LoggedDecision[],
  key: number,
  name: 'calls' | 'credits',
  { period }: Limit,
): number {
  return logOf(admissions, key, name).mostIn(periodMs[period])
}

/** How many intervals of the limit's period, of those that end with an admission, hold more than the limit. */
export function intervalsAbove(
  admissions: readonly LoggedDecision[],
  key: number,
  name: 'calls' | 'credits',
  { units, period }: Limit,
): number {
  return logOf(admissions, key, name).intervalsAbove(units, periodMs[period])
}

function logOf(admissions: readonly LoggedDecision[], key: number, name: 'calls' | 'credits'): DecisionLog {
  const log = createDecisionLog()
  for (const admission of admissions) if (admission.key === key) log.add(admission.at, admission[name])
  return log
}
