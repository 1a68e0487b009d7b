import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type ChildProcess, startChild } from './child-process.ts'
import { waitUntil } from './wait-until.ts'

/** Redis as it is run: one server, a primary behind sentinels, a cluster. Nothing is kept on disk. */
export interface RedisServer {
  readonly port: number
  cli(...args: string[]): string
  isRunning(): boolean
  stop(): Promise<void>
}

/** A server that can be started again where it was, with what it keeps of a cluster. */
interface LastingRedis extends RedisServer {
  start(): Promise<void>
}

const quiet = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']

/** How servers are spoken to, and speak with each other. */
export interface RedisSpeech {
  listenOn(port: number): string[]
  /** What redis-cli is told besides the port. */
  readonly cli: readonly string[]
}

const inTheClear: RedisSpeech = { listenOn: (port) => ['--port', String(port)], cli: [] }

/** With a certificate, in PEM; `ca` is that of the authority that servers believe of each other. */
export function withTls(
  folder: string,
  pem: { readonly ca: string; readonly cert: string; readonly key: string },
): RedisSpeech {
  const base = join(folder, `tls-${freeLowPort()}`)
  const [ca, cert, key] = [`${base}.ca`, `${base}.crt`, `${base}.key`]
  writeFileSync(ca, pem.ca)
  writeFileSync(cert, pem.cert)
  writeFileSync(key, pem.key)
  const files = ['--tls-ca-cert-file', ca, '--tls-cert-file', cert, '--tls-key-file', key]
  const among = ['--tls-auth-clients', 'no', '--tls-replication', 'yes', '--tls-cluster', 'yes']
  return {
    listenOn: (port) => ['--port', '0', '--tls-port', String(port), ...files, ...among],
    cli: ['--tls', '--cacert', ca],
  }
}

export const startRedis = (folder: string, ...settings: string[]): Promise<LastingRedis> =>
  startServer(folder, inTheClear, settings)

export const startTlsRedis = (
  folder: string,
  files: { readonly cert: string; readonly key: string },
): Promise<RedisServer> => startServer(folder, withTls(folder, { ...files, ca: files.cert }), [])

async function startServer(
  folder: string,
  speech: RedisSpeech,
  settings: readonly string[],
): Promise<LastingRedis> {
  const port = freeLowPort()
  const dir = ownFolder(folder, port)
  const command = ['redis-server', ...speech.listenOn(port), ...quiet, '--dir', dir, ...settings]
  async function begin(): Promise<ChildProcess> {
    const started = startChild(command)
    await untilSaid(started, 'Ready to accept connections')
    return started
  }
  let child = await begin()
  return {
    port,
    cli: (...args) => cli(port, ...speech.cli, ...args),
    isRunning: () => child.isRunning(),
    stop: () => stop(child),
    async start() {
      child = await begin()
    },
  }
}

/** A primary with a replica, and three sentinels that know it as `counts`. */
export interface SentinelWorld {
  /** Of the sentinels. */
  readonly hosts: string
  readonly primary: RedisServer
  readonly replica: RedisServer
  stop(): Promise<void>
}

export async function startSentinels(folder: string, speech = inTheClear): Promise<SentinelWorld> {
  const primary = await startServer(folder, speech, [])
  const replica = await startServer(folder, speech, ['--replicaof', '127.0.0.1', String(primary.port)])
  const sentinels = [0, 1, 2].map(() => {
    const port = freeLowPort()
    const path = join(folder, `sentinel-${port}.conf`)
    writeFileSync(
      path,
      `bind 127.0.0.1\ndir ${folder}\n` +
        `sentinel monitor counts 127.0.0.1 ${primary.port} 2\n` +
        'sentinel down-after-milliseconds counts 1000\nsentinel failover-timeout counts 5000\n',
    )
    return { port, child: startChild(['redis-server', path, '--sentinel', ...speech.listenOn(port)]) }
  })
  await waitUntil(
    'each sentinel knows the others and the replica',
    () =>
      sentinels.every(({ port }) => {
        const known = cli(port, ...speech.cli, 'SENTINEL', 'MASTER', 'counts').split('\n')
        const valueOf = (name: string): string | undefined => known[known.indexOf(name) + 1]
        return valueOf('num-other-sentinels') === '2' && valueOf('num-slaves') === '1'
      }),
    20_000,
  )
  return {
    hosts: sentinels.map(({ port }) => `127.0.0.1:${port}`).join(','),
    primary,
    replica,
    async stop() {
      await Promise.all([...sentinels.map(({ child }) => stop(child)), primary.stop(), replica.stop()])
    },
  }
}

const isWhole = ({ cli: ask }: RedisServer): boolean =>
  ask('CLUSTER', 'INFO').includes('cluster_state:ok') &&
  (ask('CLUSTER', 'NODES').match(/slave /g) ?? []).length === 3

/** Three primaries with a replica each. */
export interface ClusterWorld {
  readonly nodes: readonly LastingRedis[]
  /** The primary that has a key. */
  ownerOf(key: string): RedisServer
  stop(): Promise<void>
}

export async function startCluster(folder: string, speech = inTheClear): Promise<ClusterWorld> {
  const nodes: LastingRedis[] = []
  for (let node = 0; node < 6; node++) {
    const settings = [
      '--cluster-enabled',
      'yes',
      '--cluster-node-timeout',
      '1500',
      '--cluster-replica-validity-factor',
      '0',
    ]
    nodes.push(
      await startServer(folder, speech, [...settings, '--cluster-config-file', `nodes-${node}.conf`]),
    )
  }
  const [first] = nodes
  if (first === undefined) throw new Error('no node')
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`)
  const said = first.cli('--cluster', 'create', ...hosts, '--cluster-replicas', '1', '--cluster-yes')
  if (!said.includes('All 16384 slots covered')) throw new Error(`the cluster was not made: ${said}`)
  await waitUntil('the cluster is whole', () => nodes.every(isWhole), 30_000)
  await waitUntil(
    'replicas follow',
    () =>
      nodes.every(({ cli: ask }) => {
        const info = ask('INFO', 'replication')
        return info.includes('role:master') || info.includes('master_link_status:up')
      }),
    30_000,
  )
  return {
    nodes,
    ownerOf(key) {
      const living = nodes.filter((node) => node.isRunning())
      const slot = Number(living[0]?.cli('CLUSTER', 'KEYSLOT', key))
      const owner = living.find(({ cli: ask }) => ownsSlot(ask('CLUSTER', 'NODES'), slot))
      if (owner === undefined) throw new Error(`nobody has the slot ${slot}`)
      return owner
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}

/** Reads the line of `CLUSTER NODES` about the node that was asked. */
function ownsSlot(lines: string, slot: number): boolean {
  const own = lines.split('\n').find((line) => line.includes('myself,master'))
  return (own?.split(' ').slice(8) ?? []).some((range) => {
    const [from = NaN, to = from] = range.split('-').map(Number)
    return slot >= from && slot <= to
  })
}

/** A replica leaves the data of its primary behind, which the next server in the folder would begin with. */
function ownFolder(folder: string, port: number): string {
  const path = join(folder, String(port))
  mkdirSync(path)
  return path
}

function cli(port: number, ...args: string[]): string {
  const { stdout } = Bun.spawnSync(['redis-cli', '-p', String(port), ...args])
  return stdout.toString().trim()
}

const untilSaid = (child: ChildProcess, text: string): Promise<void> =>
  waitUntil(`redis says "${text}"`, () => child.output().includes(text))

async function stop(child: ChildProcess): Promise<void> {
  await child.stop()
}

let nextPort = 20_000 + Math.floor(Math.random() * 2_000)

/** Below the ports that the system gives to others, and so that the port of a cluster's bus, 10,000 above, is there as well. */
function freeLowPort(): number {
  for (;;) {
    nextPort += 1
    if (isFree(nextPort) && isFree(nextPort + 10_000)) return nextPort
  }
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, socket: { data: () => undefined } }).stop(true)
    return true
  } catch {
    return false
  }
}
