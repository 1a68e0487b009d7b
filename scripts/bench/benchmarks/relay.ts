import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { temporaryDataDir } from '../../world/database.ts'
import { findCommand } from '../../world/find-command.ts'
import { measureInTurns } from '../arms.ts'
import { atMost, type Bar, type Benchmark, type Row, benchmarkRowOf } from '../benchmark.ts'
import { batch, benchBatchSize, call } from '../relay/answers.ts'
import { startBareProxy } from '../relay/bare-proxy.ts'
import { startHaproxy } from '../relay/haproxy.ts'
import { type Arm, loadRelay, type Turn } from '../relay/loaded.ts'
import { type NodeKind, type Nodes, startNginxProxy, startNginxNodes } from '../relay/nginx.ts'
import { startRelay, startTwoRelays } from '../relay/relay-under-test.ts'
import type { RunningServer } from '../relay/running-server.ts'
import { ratios } from '../statistics.ts'

const manyConnections = 64
const seconds = 2
/** Different requests of a turn: far more than are under way at once, so that none can share an answer. */
const requestCount = 5_000
const packages = ['wrk', 'nginx', 'haproxy', 'redis-server']

export const relay: Benchmark = {
  name: 'relay',
  about: 'JSON-RPC calls with a query key, against HAProxy with a rate limit and nginx',

  async run({ rounds }) {
    const missing = packages.filter((name) => findCommand(name) === null)
    if (missing.length > 0) {
      const note = `skipped: needs the Debian packages ${missing.join(', ')} (apt-get install ${missing.join(' ')})`
      return { title: 'Relay', rows: [], notes: [note] }
    }
    const folder = temporaryDataDir()
    const nodes = await startNginxNodes(folder)
    try {
      const rows = [
        ...(await oneProcess(folder, nodes, rounds)),
        ...(await twoProcesses(folder, nodes, rounds)),
      ]
      return { title: 'Relay', rows, notes }
    } finally {
      await Promise.all(Object.values(nodes).map((node) => node.stop()))
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

const notes = [
  `wrk with one thread and ${manyConnections} connections kept alive over loopback, ${seconds} s an arm, arms in turns. Every request asks about another account. Behind all of them stands nginx with a constant answer.`,
  'Ours: key check, both limits, metering, health decision of the upstream, its embedded PostgreSQL counted in. HAProxy: one thread, a stick table with a request rate for each path. nginx: one process, nothing but passing on.',
  'The bare Bun proxy shows what the runtime itself costs: Bun.serve and a kept connection to the node, body in, body out; no key, limit, count, deadline or check of what the node says. A floor to compare with, not a product.',
  'CPU of a request is that of all processes of an arm, from /proc. Two processes share PostgreSQL and Redis, which are not counted in; HAProxy has two threads there.',
]

interface Scene {
  readonly kind: NodeKind
  readonly about: string
  readonly body: string
  readonly cpuBar: Bar | null
}

const scenes: readonly Scene[] = [
  { kind: 'small', about: 'small bodies', body: call, cpuBar: atMost(1.4) },
  { kind: 'large', about: '64 KB answers', body: call, cpuBar: null },
  { kind: 'batches', about: `batches of ${benchBatchSize}`, body: batch, cpuBar: null },
]

async function oneProcess(folder: string, nodes: Nodes, rounds: number): Promise<Row[]> {
  const ours = await startRelay(nodes)
  try {
    const rows: Row[] = []
    for (const { kind, about, body, cpuBar } of scenes) {
      const haproxy = await startHaproxy(join(folder, `haproxy-${kind}`), nodes[kind], 1)
      const nginx = await startNginxProxy(join(folder, `nginx-${kind}`), nodes[kind])
      const bare = kind === 'small' ? await startBareProxy(nodes[kind]) : null
      const arms: Arms = {
        ours: ours.armFor(kind),
        haproxy: armOf(haproxy),
        nginx: armOf(nginx),
        ...(bare === null ? {} : { bare: armOf(bare) }),
      }
      try {
        rows.push(...underLoad(about, await measureArms(rounds, arms, body, manyConnections), cpuBar))
        if (kind === 'small') rows.push(...latencies(await measureArms(rounds, arms, body, 1)))
      } finally {
        await Promise.all([haproxy.stop(), nginx.stop(), bare?.stop()])
      }
    }
    return rows
  } finally {
    await ours.stop()
  }
}

async function twoProcesses(folder: string, nodes: Nodes, rounds: number): Promise<Row[]> {
  const ours = await startTwoRelays(nodes)
  const haproxy = await startHaproxy(join(folder, 'haproxy-two'), nodes.small, 2)
  try {
    const arms = { ours: ours.armFor('small'), haproxy: armOf(haproxy) }
    return underLoad('two processes', await measureArms(rounds, arms, call, manyConnections), null)
  } finally {
    await Promise.all([ours.stop(), haproxy.stop()])
  }
}

/** The path is as long as ours. */
const armOf = ({ url, pid }: RunningServer): Arm => ({
  urls: [`${url}/rpc/small/gqk_${'k'.repeat(38)}`],
  pids: [pid],
})

interface Measured {
  readonly ours: Turn[]
  readonly haproxy: Turn[]
  readonly nginx?: Turn[]
  readonly bare?: Turn[]
}
type Arms = { readonly [Name in keyof Measured]: Arm }

async function measureArms(rounds: number, arms: Arms, body: string, connections: number): Promise<Measured> {
  const plan = { body, connections, seconds, count: requestCount }
  const turns = Object.entries(arms).map(([name, arm]) => [name, () => loadRelay(arm, plan)] as const)
  for (const [, warmUp] of turns) await warmUp()
  return measureInTurns(rounds, Object.fromEntries(turns) as Record<keyof Measured, () => Promise<Turn>>)
}

const titles = {
  ours: 'ours',
  haproxy: 'HAProxy with a rate limit',
  nginx: 'nginx',
  bare: 'bare Bun proxy',
} as const

function underLoad(about: string, measured: Measured, cpuBar: Bar | null): Row[] {
  return [
    ...rowsOf(measured, `${about}, throughput`, 'requests/s', ({ requestsPerSec }) => requestsPerSec),
    ...rowsOf(measured, `${about}, CPU of a request`, 'µs', cpuOf),
    ...ratioRowsOf(measured, `${about}, CPU`, cpuOf, cpuBar),
    benchmarkRowOf(`${about}, failed requests`, '', [failuresIn(measured)], atMost(0)),
  ]
}

function latencies(measured: Measured): Row[] {
  return [
    ...rowsOf(measured, 'one connection, p50', 'ms', p50Of),
    ...ratioRowsOf(measured, 'one connection, p50', p50Of, atMost(1.2)),
  ]
}

const cpuOf = ({ cpuPerRequest }: Turn): number => cpuPerRequest
const p50Of = ({ p50Ms }: Turn): number => p50Ms

const failuresIn = (measured: Measured): number =>
  Object.values(measured)
    .flat()
    .reduce((sum, { failures }) => sum + failures, 0)

const rowsOf = (measured: Measured, about: string, unit: string, read: (turn: Turn) => number): Row[] =>
  (['ours', 'haproxy', 'nginx', 'bare'] as const).flatMap((name) => {
    const turns = measured[name]
    return turns === undefined ? [] : [benchmarkRowOf(`${about}: ${titles[name]}`, unit, turns.map(read))]
  })

/** The bar is for ours. */
const ratioRowsOf = (
  measured: Measured,
  about: string,
  read: (turn: Turn) => number,
  bar: Bar | null,
): Row[] =>
  (['ours', 'bare'] as const).flatMap((name) => {
    const turns = measured[name]
    if (turns === undefined) return []
    const toHaproxy = ratios(turns.map(read), measured.haproxy.map(read))
    return [
      benchmarkRowOf(`${about}: ${titles[name]} to HAProxy`, '', toHaproxy, name === 'ours' ? bar : null),
    ]
  })
