import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { temporaryDataDir } from '../../world/database.ts'
import { findCommand } from '../../world/find-command.ts'
import { measureInTurns } from '../arms.ts'
import { atMost, type Bar, type Benchmark, type Row, benchmarkRowOf } from '../benchmark.ts'
import { batch, benchBatchSize, cachedCall, call } from '../relay/answers.ts'
import { startBareProxy } from '../relay/bare-proxy.ts'
import { startHaproxy } from '../relay/haproxy.ts'
import { type Arm, loadRelay, type Turn } from '../relay/loaded.ts'
import { type NodeKind, type Nodes, startNginxProxy, startNginxNodes } from '../relay/nginx.ts'
import { isLuaInstalled, startNginxWithLua } from '../relay/nginx-lua.ts'
import { startRelay, startTwoRelays } from '../relay/relay-under-test.ts'
import type { RunningServer } from '../relay/running-server.ts'
import { ratios } from '../statistics.ts'

const manyConnections = 64
const seconds = 2
/** In the first three seconds, while its code is being compiled, a small call of ours took 153 µs, and then 91. */
const warmUpSeconds = 6
/** Different requests of a turn: far more than are under way at once, so that none can share an answer. */
const requestCount = 5_000
const packages = ['wrk', 'nginx', 'haproxy', 'redis-server']
const luaPackages = ['libnginx-mod-http-lua', 'lua-cjson']

export const relay: Benchmark = {
  name: 'relay',
  about: 'JSON-RPC calls with a query key, against a bare proxy on Bun, nginx with Lua, nginx, and HAProxy',

  async run({ rounds }) {
    const missing = [
      ...packages.filter((name) => findCommand(name) === null),
      ...(isLuaInstalled() ? [] : luaPackages),
    ]
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
  `wrk with one thread and ${manyConnections} connections kept alive over loopback, ${seconds} s an arm, arms in turns, after ${warmUpSeconds} s each that are not counted. Every request asks about another account. Behind all of them stands nginx with a constant answer.`,
  'Ours: key check, both limits, metering, health decision of the upstream, its embedded PostgreSQL counted in. HAProxy: one thread, a stick table with a request rate for each path. nginx: one process, nothing but passing on. nginx with Lua: the same process does what we do as people script it, with a key of a table, two windows in shared memory, prices by method of the decoded body, counts by key and method.',
  'The bare Bun proxy shows what the runtime itself costs: Bun.serve and a kept connection to the node, body in, body out; no key, limit, count, deadline or check of what the node says. A floor to compare with, not a product.',
  'CPU of a request is that of all processes of an arm, from /proc. Two processes share PostgreSQL and Redis, which are not counted in; HAProxy has two threads there.',
]

interface Scene {
  readonly kind: NodeKind
  readonly about: string
  readonly body: string
  readonly bars: CpuBars
}

/** What a request may cost: in microseconds, and as a multiple of what it costs at others. */
interface CpuBars {
  readonly ours?: Bar
  readonly toBare?: Bar
  readonly toLua?: Bar
}

const scenes: readonly Scene[] = [
  { kind: 'small', about: 'small bodies', body: call, bars: { toBare: atMost(1.6), toLua: atMost(1.2) } },
  { kind: 'large', about: '64 KB answers', body: call, bars: { toBare: atMost(2.5) } },
  { kind: 'batches', about: `batches of ${benchBatchSize}`, body: batch, bars: { ours: atMost(130) } },
]

async function oneProcess(folder: string, nodes: Nodes, rounds: number): Promise<Row[]> {
  const ours = await startRelay(nodes)
  try {
    const rows: Row[] = []
    for (const { kind, about, body, bars } of scenes) {
      const others = await startOthers(join(folder, kind), nodes[kind])
      const arms = { ours: ours.armFor(kind), ...mapValues(others, armOf) }
      try {
        rows.push(...underLoad(about, await measureArms(rounds, arms, body, manyConnections), bars))
        if (kind === 'small') rows.push(...latencies(await measureArms(rounds, arms, body, 1)))
      } finally {
        await Promise.all(Object.values(others).map((server) => server.stop()))
      }
    }
    return [...rows, ...(await cacheHits(rounds, ours.armFor('small')))]
  } finally {
    await ours.stop()
  }
}

async function cacheHits(rounds: number, arm: Arm): Promise<Row[]> {
  const plan = { connections: manyConnections, seconds, count: requestCount }
  const measured = await measureInTurns(rounds, {
    hits: () => loadRelay(arm, { ...plan, body: cachedCall }),
    calls: () => loadRelay(arm, { ...plan, body: call }),
  })
  const toCalls = ratios(measured.hits.map(cpuOf), measured.calls.map(cpuOf))
  return [
    benchmarkRowOf('cache hits, CPU of a request: ours', 'µs', measured.hits.map(cpuOf)),
    benchmarkRowOf('cache hits, CPU: to a small call', '', toCalls, atMost(0.7)),
  ]
}

const startOthers = async (folder: string, node: RunningServer): Promise<Record<Other, RunningServer>> => ({
  bare: await startBareProxy(node),
  lua: await startNginxWithLua(join(folder, 'lua'), node, benchKey),
  nginx: await startNginxProxy(join(folder, 'nginx'), node),
  haproxy: await startHaproxy(join(folder, 'haproxy'), node, 1),
})

async function twoProcesses(folder: string, nodes: Nodes, rounds: number): Promise<Row[]> {
  const ours = await startTwoRelays(nodes)
  const haproxy = await startHaproxy(join(folder, 'haproxy-two'), nodes.small, 2)
  try {
    const arms = { ours: ours.armFor('small'), haproxy: armOf(haproxy) }
    return underLoad('two processes', await measureArms(rounds, arms, call, manyConnections), {})
  } finally {
    await Promise.all([ours.stop(), haproxy.stop()])
  }
}

/** As long as ours. */
const benchKey = `gqk_${'k'.repeat(38)}`

const armOf = ({ url, pid }: RunningServer): Arm => ({ urls: [`${url}/rpc/small/${benchKey}`], pids: [pid] })

const titles = {
  ours: 'ours',
  bare: 'bare Bun proxy',
  lua: 'nginx with Lua',
  nginx: 'nginx',
  haproxy: 'HAProxy with a rate limit',
} as const
type Name = keyof typeof titles
type Other = Exclude<Name, 'ours'>
const names = Object.keys(titles) as Name[]

/** Not every scene has every arm. */
type Measured = Partial<Record<Name, Turn[]>> & { readonly ours: Turn[] }

async function measureArms(
  rounds: number,
  arms: Partial<Record<Name, Arm>>,
  body: string,
  connections: number,
): Promise<Measured> {
  const plan = { body, connections, seconds, count: requestCount }
  for (const arm of Object.values(arms)) await loadRelay(arm, { ...plan, seconds: warmUpSeconds })
  return measureInTurns(
    rounds,
    mapValues(arms, (arm) => () => loadRelay(arm, plan)),
  )
}

function underLoad(about: string, measured: Measured, bars: CpuBars): Row[] {
  return [
    ...rowsOf(measured, `${about}, throughput`, 'requests/s', ({ requestsPerSec }) => requestsPerSec),
    ...rowsOf(measured, `${about}, CPU of a request`, 'µs', cpuOf, bars.ours),
    ...ratioRowsOf(measured, `${about}, CPU`, cpuOf, bars),
    benchmarkRowOf(`${about}, failed requests`, '', [failuresIn(measured)], atMost(0)),
  ]
}

function latencies(measured: Measured): Row[] {
  return [
    ...rowsOf(measured, 'one connection, p50', 'ms', p50Of),
    ...ratioRowsOf(measured, 'one connection, p50', p50Of, { toBare: atMost(1.4) }),
  ]
}

const cpuOf = ({ cpuPerRequest }: Turn): number => cpuPerRequest
const p50Of = ({ p50Ms }: Turn): number => p50Ms

const failuresIn = (measured: Measured): number =>
  Object.values(measured)
    .flat()
    .reduce((sum, { failures }) => sum + failures, 0)

/** The bar is for ours. */
const rowsOf = (
  measured: Measured,
  about: string,
  unit: string,
  read: (turn: Turn) => number,
  bar: Bar | null = null,
): Row[] =>
  names.flatMap((name) => {
    const turns = measured[name]
    if (turns === undefined) return []
    return [benchmarkRowOf(`${about}: ${titles[name]}`, unit, turns.map(read), name === 'ours' ? bar : null)]
  })

/** Ours to each of the others. */
function ratioRowsOf(measured: Measured, about: string, read: (turn: Turn) => number, bars: CpuBars): Row[] {
  const barsOf: Partial<Record<Name, Bar | undefined>> = { bare: bars.toBare, lua: bars.toLua }
  return names.flatMap((name) => {
    const turns = measured[name]
    if (name === 'ours' || turns === undefined) return []
    const toOther = ratios(measured.ours.map(read), turns.map(read))
    return [benchmarkRowOf(`${about}: ours to ${titles[name]}`, '', toOther, barsOf[name] ?? null)]
  })
}

const mapValues = <Key extends string, From, To>(
  record: Readonly<Partial<Record<Key, From>>>,
  map: (value: From) => To,
): Record<Key, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value as From)])) as Record<
    Key,
    To
  >
