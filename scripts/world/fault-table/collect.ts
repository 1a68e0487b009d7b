import * as z from 'zod/mini'

import type { BucketSeen, CallSeen, KeySeen, Noted, ProbesSeen, RunRecord, TermSeen } from './record.ts'
import { type FleetWorld, outsideVerifiers, wellServices } from './world.ts'

type Watched = Pick<RunRecord, 'from' | 'until' | 'faults' | 'ended' | 'stalls'>

/** Adds to what callers saw what the database and the processes say at the end, once they have written it down. */
export async function collect(world: FleetWorld, seen: Noted, watched: Watched): Promise<RunRecord> {
  const { places, verifiers } = world
  const ended = [
    ...watched.ended,
    ...verifiers.flatMap(({ program }, index) =>
      program.isRunning() ? [] : [`verifier ${index + 1} ended: ${program.output().slice(-500)}`],
    ),
    ...places.flatMap((place) => (place.server().program.isRunning() ? [] : [`${place.name} ended`])),
  ]
  const terms = await termsOf(world)
  return {
    ...watched,
    ...seen,
    ended,
    terms,
    keys: await countedKeys(world, seen.calls),
    buckets: await bucketsOf(world),
    probes: await probesOf(world, watched, new Set(terms.map(({ epoch }) => epoch)).size),
    kept: (await world.engines.ask((sql) => sql<{ name: string }[]>`SELECT name FROM api_keys`)).map(
      ({ name }) => name,
    ),
  }
}

async function termsOf({ engines, places }: FleetWorld): Promise<TermSeen[]> {
  const stored = await engines.ask(
    (sql) => sql<{ shard: number; epoch: number; holder: string }[]>`
      SELECT shard, epoch::int AS epoch, holder FROM seen_terms`,
  )
  const told = places.flatMap(({ name, output }) =>
    output()
      .split('\n')
      .filter((line) => line.includes('this process decides from now on') && line.includes('"health"'))
      .map((line) => {
        const { epoch } = JSON.parse(line) as { epoch: number }
        return { said: 'by processes' as const, shard: 0, epoch, holder: name }
      }),
  )
  return [...stored.map((term) => ({ said: 'by the database' as const, ...term })), ...told]
}

const Statistics = z.object({ items: z.array(z.object({ keyId: z.string(), requests: z.number() })) })

/** Without one more call that is counted, what is missing is taken for lost. */
const stillMs = 40_000
const askAgainMs = 250

/** Counters are moved to the database in turns: waits until none that was answered is missing, and then until nothing comes. */
async function countedKeys(
  { nginx, apiKey, keys }: FleetWorld,
  calls: readonly CallSeen[],
): Promise<KeySeen[]> {
  const read = async (): Promise<Map<string, number>> => {
    const headers = { authorization: `Bearer ${apiKey}` }
    const answer = await fetch(`${nginx.url}/account/statistics/keys`, { headers })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`statistics answer ${answer.status} ${text}`)
    const { items } = Statistics.parse(JSON.parse(text))
    return new Map(items.map(({ keyId, requests }) => [keyId, requests]))
  }
  const answered = ({ name }: { name: string }): number =>
    calls.filter(({ key, outcome }) => key === name && outcome === 'answered').length
  await untilStill(stillMs, async () => {
    const counted = await read().catch(() => new Map<string, number>())
    const isWhole = keys.every((key) => (counted.get(key.id) ?? 0) >= answered(key))
    return isWhole ? null : [...counted.values()].reduce((sum, one) => sum + one, 0)
  })
  const counted = await read()
  return keys.map(({ id, name, limit }) => ({ name, limit, counted: counted.get(id) ?? 0 }))
}

/** Asks until the answer is null, or has been the same for so long: a slow machine gets the time that it needs. */
async function untilStill(forMs: number, ask: () => Promise<number | null>): Promise<void> {
  let last: number | null = null
  for (
    let changedAt = performance.now();
    performance.now() - changedAt < forMs;
    await Bun.sleep(askAgainMs)
  ) {
    const answer = await ask()
    if (answer === null) return
    if (answer !== last) changedAt = performance.now()
    last = answer
  }
}

const tables = [
  { table: 'health_rollup_5m', lengthMs: 300_000 },
  { table: 'health_rollup_1h', lengthMs: 3_600_000 },
  { table: 'health_rollup_1d', lengthMs: 86_400_000 },
]

async function bucketsOf({ engines }: FleetWorld): Promise<BucketSeen[]> {
  const buckets: BucketSeen[] = []
  for (const { table, lengthMs } of tables) {
    const rows = await engines.ask(
      (sql) => sql<{ name: string; decidedMs: number }[]>`
        SELECT service_id || ' ' || ${table} || ' ' || bucket AS name, up_ms + latency_ms + down_ms AS "decidedMs"
        FROM ${sql(table)}`,
    )
    buckets.push(...rows.map((row) => ({ ...row, lengthMs })))
  }
  return buckets
}

/** A verifier that is started again probes at once, and after a failure several times sooner. */
const retests = 3

async function probesOf(
  { site, engines }: FleetWorld,
  { from, until }: Watched,
  owners: number,
): Promise<ProbesSeen[]> {
  const failures = await engines.ask(
    (sql) => sql<{ id: string; failures: number }[]>`
      SELECT service_id AS id, sum(failures)::int AS failures FROM health_rollup_5m GROUP BY service_id`,
  )
  return wellServices.map(({ id, intervalMs }) => {
    const failed = failures.find((row) => row.id === id)?.failures ?? 0
    const intervals = Math.ceil((until - from) / intervalMs) + 2
    return {
      serviceId: id,
      probes: site.probesOf(id),
      most: (1 + outsideVerifiers) * intervals + owners + retests * failed,
    }
  })
}
