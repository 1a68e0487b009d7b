import { randomBytes } from 'node:crypto'

import { hourMs, secondMs } from '../../../shared/durations.ts'
import { startToolServer, type ToolServer } from '../../../server/connections/test-support/tool-server.ts'
import { makeQueryKeys } from '../made-query-keys.ts'
import { type Nginx, startFleetNginx } from '../nginx.ts'
import { untilListed, writeRegistry } from '../registry-folder.ts'
import { type SignedInClient, signInAt } from '../signed-in-client.ts'
import { createTestWallet } from '../test-wallet.ts'
import { startVerifierWith, type VerifierProcess } from '../verifier-process.ts'
import { waitUntil } from '../wait-until.ts'
import { type Engines, startEngines } from './engines.ts'
import { createPlaces, environmentOf, type FleetPlace, untilAllReady } from './fleet.ts'
import { startWellSite, type WellService, type WellSite } from './health-callers.ts'
import type { KeySeen } from './record.ts'
import { type CallNode, startCallNode } from './relay-callers.ts'

/** Three processes as they are run in earnest, and everything around them. */
export interface FleetWorld {
  readonly engines: Engines
  readonly places: readonly FleetPlace[]
  readonly nginx: Nginx
  readonly node: CallNode
  readonly site: WellSite
  /** Of an operator, by way of nginx. */
  readonly console: SignedInClient
  readonly apiKey: string
  readonly keys: readonly WorldKey[]
  readonly verifiers: readonly VerifierProcess[]
  stop(): Promise<void>
}

export interface WorldKey extends Omit<KeySeen, 'counted'> {
  readonly id: string
  readonly value: string
}

export const wellServices: readonly WellService[] = [
  { id: 'often', intervalMs: 2_000, freshMs: 15_000 },
  { id: 'usual', intervalMs: 5_000, freshMs: 20_000 },
]
/** Beside the one that is built in. */
export const outsideVerifiers = 2

const wishes = [
  { name: 'free', limit: null, wish: {} },
  {
    name: 'by second',
    limit: { units: 10, periodMs: secondMs },
    wish: { rateLimit: 10, rateLimitPeriod: 'second' },
  },
  {
    name: 'by hour',
    limit: { units: 500, periodMs: hourMs },
    wish: { rateLimit: 500, rateLimitPeriod: 'hour' },
  },
] as const

const fileFor = (site: WellSite, node: CallNode, tools: ToolServer): object => ({
  services: wellServices.map(({ id, intervalMs, freshMs }) => ({
    id,
    name: id,
    family: 'http',
    provider: 'acme',
    endpoint: site.urlOf(id),
    policy: { intervalMs, timeoutMs: intervalMs - 100, freshMs },
  })),
  endpoints: [{ name: 'testnet', chain: 'ethereum', upstreams: [{ url: node.url }] }],
  registry: {
    source: writeRegistry([{ slug: 'plain', provider: 'Plain', url: tools.url, chains: ['base'] }]),
  },
})

/** Returns when all processes are ready, services are known to be well, and limits are counted. */
export async function startFleetWorld(hasOwnMounts: boolean): Promise<FleetWorld> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (const end of stops.toReversed()) await end()
  }
  try {
    const [site, node, tools] = [startWellSite(), startCallNode(), await startToolServer({ era: 'legacy' })]
    stops.push(site.stop, node.stop, tools.stop)
    const engines = await startEngines()
    stops.push(engines.stop)
    const places = await createPlaces(3, fileFor(site, node, tools), hasOwnMounts)
    stops.push(() => Promise.all(places.map((place) => place.remove())))
    const nginx = await startFleetNginx(places.map(({ port }) => port))
    stops.push(nginx.stop)
    const wallet = createTestWallet()
    const environment = environmentOf(engines.addresses, nginx.url, wallet.address)
    for (const [index, place] of places.entries()) {
      // The last one has the smallest pool that is of use: it gets along with it, too.
      place.give({ ...environment, ...(index === 2 && { GATEHOUSE_DATABASE_POOL: '2' }) })
      await place.start()
    }
    await noteTerms(engines)
    const people = await startPeople(nginx, wallet)
    const verifiers: VerifierProcess[] = []
    stops.push(() => Promise.all(verifiers.map((verifier) => verifier.stop())))
    for (let index = 0; index < outsideVerifiers; index++)
      verifiers.push(await startOutside(nginx, places, `outside ${index + 1}`))
    await untilAllKnown(nginx, places)
    return { engines, places, nginx, node, site, ...people, verifiers, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Every holder of the lease is written down by the database itself. */
async function noteTerms({ ask }: Engines): Promise<void> {
  await ask(
    (sql) =>
      sql`CREATE TABLE seen_terms (shard int, epoch bigint, holder text, UNIQUE (shard, epoch, holder))`,
  )
  await ask(
    (sql) => sql`
      CREATE FUNCTION note_term() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO seen_terms VALUES (NEW.shard, NEW.epoch, NEW.holder) ON CONFLICT DO NOTHING;
        RETURN NEW;
      END $$`,
  )
  await ask(
    (sql) => sql`CREATE TRIGGER note_term AFTER INSERT OR UPDATE ON leases FOR EACH ROW
      WHEN (NEW.name = 'health') EXECUTE FUNCTION note_term()`,
  )
}

async function startPeople(nginx: Nginx, wallet: ReturnType<typeof createTestWallet>) {
  const console = await signInAt(nginx.url, wallet)
  const made = await makeQueryKeys(
    console,
    nginx.url,
    wishes.map(({ name, wish }) => ({ name, endpoint: 'testnet', ...wish })),
  )
  const keys = wishes.map(({ name, limit }, index): WorldKey => {
    const { id, key: value } = made[index] ?? { id: '', key: '' }
    return { name, limit, id, value }
  })
  const { data } = await console.mutate('apiKeys.create', {
    name: 'agent',
    permissions: ['gateway_use', 'statistics_read'],
  })
  return { console, keys, apiKey: (data as { value: string }).value }
}

async function startOutside(
  nginx: Nginx,
  [first]: readonly FleetPlace[],
  name: string,
): Promise<VerifierProcess> {
  if (first === undefined) throw new Error('there is no process')
  const { token } = await first.server().operator.verifiers.createToken.mutate({ label: name })
  return startVerifierWith(nginx, token, name, randomBytes(2).toString('hex'))
}

async function untilAllKnown(nginx: Nginx, places: readonly FleetPlace[]): Promise<void> {
  await untilAllReady(places, 30_000)
  for (const { url } of [...places, nginx]) {
    await untilListed(url, 'mcpservers:plain')
    await waitUntil(
      'services are UP, and limits are counted',
      async () => {
        const answers = await Promise.all(
          wellServices.map(async ({ id }) => (await fetch(`${url}/health/${id}`)).text()),
        )
        const readiness = await (await fetch(`${url}/readyz`)).text()
        return answers.every((text) => text.includes('"UP"')) && readiness.includes('"limits":"ok"')
      },
      30_000,
    )
  }
}
