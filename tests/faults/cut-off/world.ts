/**
 * A process in an empty network namespace: it makes a second one with two nodes, which is reached over a link, starts a
 * server on this side, and writes as one line of JSON what was decided while a node died, while the link was down, and while
 * the link stood and the Internet behind it was gone.
 */
import { createTestInstallation } from '../../../scripts/world/gatehouse-process.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import type { Decision } from '../../../shared/health.ts'
import { type HealthClient, healthClient } from '../../support/health-client.ts'

export interface CutOffReport {
  nodeDied: Decision[]
  /** Every decision about the node that stood, from the end of the link on. */
  linkDown: Decision[]
  tookMs: number
  linkUp: Decision[]
  /** Every decision about the services of many chains, from the end of the link until nothing was known of any. */
  manyChains: Decision[]
  /** Every decision about a node on the Internet, from the end of the Internet on. */
  internetGone: Decision[]
  /** And about that node when it died alone. */
  farNodeDied: Decision[]
  /** And when it died in a network from which no root name server has ever been reached. */
  closedNetwork: Decision[]
}

const gateway = '10.77.0.1'
const own = '10.77.0.2'
/** Hosts of a chain each, at default settings: their turns are spread over ten seconds. */
const otherHosts = Array.from({ length: 8 }, (_, index) => `10.77.0.${10 + index}`)
/** Addresses of the Internet, which are those of the gateway here: a node, and two root name servers. */
const [farNode, ...rootServers] = ['93.184.216.34', '198.41.0.4', '192.5.5.241'] as const
const policy = { intervalMs: 1_000, timeoutMs: 500, freshMs: 5_000, downForMs: 1_000, upForMs: 1_000 }
/** The name servers by which a verifier finds that it is alone have two seconds to answer, at any settings. */
const farPolicy = { ...policy, downForMs: 4_000 }
const children: Bun.Subprocess[] = []

function start(...command: string[]): Bun.Subprocess {
  const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'ignore', stderr: 'inherit' })
  children.push(child)
  return child
}

function run(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command)
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr.toString()}`)
}

/** Returns the start of a command that runs in the other namespace. */
async function makeLink(): Promise<string[]> {
  run('ip', 'link', 'set', 'lo', 'up')
  const { pid } = start('unshare', '--net', 'sh', '-c', 'read _')
  const inside = ['nsenter', '--target', String(pid), '--net']
  const isApart = () => Bun.spawnSync([...inside, 'ip', 'link', 'show', 'veth0']).exitCode !== 0
  run('ip', 'link', 'add', 'veth0', 'type', 'veth', 'peer', 'name', 'veth1')
  await waitUntil('the other namespace is there', isApart)
  run('ip', 'link', 'set', 'veth1', 'netns', String(pid))
  run('ip', 'addr', 'add', `${own}/24`, 'dev', 'veth0')
  for (const host of [gateway, ...otherHosts])
    run(...inside, 'ip', 'addr', 'add', `${host}/24`, 'dev', 'veth1')
  run(...inside, 'ip', 'link', 'set', 'veth1', 'up')
  run(...inside, 'ip', 'link', 'set', 'lo', 'up')
  return inside
}

/** Gives addresses to the gateway, or takes them away. */
function setInternet(inside: readonly string[], change: 'add' | 'del', addresses: readonly string[]): void {
  for (const address of addresses) run(...inside, 'ip', 'addr', change, `${address}/32`, 'dev', 'lo')
}

function linkUp(): void {
  run('ip', 'link', 'set', 'veth0', 'up')
  run('ip', 'route', 'replace', 'default', 'via', gateway)
}

const chain = { family: 'evm', chainId: 31_337, blockMs: 1_000 }
const service = (id: string, chainKey: string, host: string, port: number) => ({
  id,
  name: id,
  chain: chainKey,
  provider: `provider of ${id}`,
  endpoint: `http://${host}:${port}`,
})
const otherIds = otherHosts.map((_, index) => `chain-${index}`)

const watchedFile = () => ({
  chains: Object.fromEntries(['testnet', ...otherIds].map((key) => [key, chain])),
  services: [
    ...[8545, 8546].map((port) => ({ ...service(`node-${port}`, 'testnet', gateway, port), policy })),
    ...otherHosts.map((host, index) => service(`chain-${index}`, `chain-${index}`, host, 8545)),
  ],
})

/** A machine that is busy with other tests takes its time. */
const busyMs = 30_000

/** Returns every decision about a service, from now until one of them is `last`. */
async function decisionsUntil(health: HealthClient, id: string, last: Decision): Promise<Decision[]> {
  const decisions: Decision[] = []
  const isLast = async () => {
    const { decision } = await health.read(id)
    if (decisions.at(-1) !== decision) decisions.push(decision)
    return decision === last
  }
  await waitUntil(`${id} is ${last}`, isLast, busyMs)
  return decisions
}

type InternetReport = Pick<CutOffReport, 'internetGone' | 'farNodeDied' | 'closedNetwork'>

/** Watches a node on the Internet alone while something happens to it. */
async function watchFarNode<T>(
  inside: readonly string[],
  happen: (health: HealthClient, node: Bun.Subprocess) => Promise<T>,
): Promise<T> {
  const node = start(...inside, process.execPath, 'tests/faults/cut-off/node.ts', farNode, '8545')
  const installation = await createTestInstallation({
    chains: { testnet: chain },
    services: [{ ...service('far', 'testnet', farNode, 8545), policy: farPolicy }],
  })
  try {
    await installation.start()
    const health = healthClient(installation.url)
    await health.until({ far: 'UP' }, 30_000)
    return await happen(health, node)
  } finally {
    await installation.remove()
  }
}

function killFarNode(health: HealthClient, node: Bun.Subprocess): Promise<Decision[]> {
  node.kill('SIGKILL')
  return decisionsUntil(health, 'far', 'DOWN')
}

/** The gateway answers all the time; what is behind it does not. */
async function watchInternet(inside: readonly string[]): Promise<InternetReport> {
  setInternet(inside, 'add', [farNode, ...rootServers])
  const report = await watchFarNode(inside, async (health, node) => {
    // The node last: with a root server in reach, its first failure would be its own.
    setInternet(inside, 'del', [...rootServers, farNode])
    const internetGone = await decisionsUntil(health, 'far', 'UNKNOWN')
    setInternet(inside, 'add', [farNode, ...rootServers])
    await health.until({ far: 'UP' }, 30_000)
    return { internetGone, farNodeDied: await killFarNode(health, node) }
  })
  setInternet(inside, 'del', rootServers)
  return { ...report, closedNetwork: await watchFarNode(inside, killFarNode) }
}

async function watch(inside: readonly string[]): Promise<Omit<CutOffReport, keyof InternetReport>> {
  const startNode = (host: string, port: number) =>
    start(...inside, process.execPath, 'tests/faults/cut-off/node.ts', host, String(port))
  const nodes = [8545, 8546].map((port) => startNode(gateway, port))
  for (const host of otherHosts) startNode(host, 8545)
  const installation = await createTestInstallation(watchedFile())
  try {
    await installation.start({ GATEHOUSE_ALLOW_PRIVATE: '127.0.0.0/8,10.77.0.0/24' })
    const health = healthClient(installation.url)
    const ids = ['node-8545', 'node-8546']
    const allUp = Object.fromEntries([...ids, ...otherIds].map((id) => [id, 'UP' as const]))
    await health.until(allUp, 30_000)

    nodes[1]?.kill('SIGKILL')
    await health.until({ 'node-8545': 'UP', 'node-8546': 'DOWN' }, 30_000)
    const nodeDied = await health.decisions(ids)

    const manyChains = new Set<Decision>()
    const isNothingKnown = async () => {
      const decisions = await health.decisions(otherIds)
      for (const decision of decisions) manyChains.add(decision)
      return decisions.every((decision) => decision === 'UNKNOWN')
    }
    const startedAt = performance.now()
    run('ip', 'link', 'set', 'veth0', 'down')
    const linkDown = await decisionsUntil(health, 'node-8545', 'UNKNOWN')
    const tookMs = performance.now() - startedAt
    await waitUntil('nobody knows anything of any chain', isNothingKnown, 30_000)
    linkUp()
    await health.until({ 'node-8545': 'UP' }, 30_000)
    const afterwards = await health.decisions(['node-8545'])
    return { nodeDied, linkDown, tookMs, linkUp: afterwards, manyChains: [...manyChains] }
  } finally {
    await installation.remove()
  }
}

try {
  const inside = await makeLink()
  linkUp()
  const report: CutOffReport = { ...(await watch(inside)), ...(await watchInternet(inside)) }
  process.stdout.write(`${JSON.stringify(report)}\n`)
} finally {
  for (const child of children) child.kill('SIGKILL')
}
