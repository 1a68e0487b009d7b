import { excuseOf, isRefused } from './excuses.ts'
import {
  type CallSeen,
  type HealthSeen,
  type KeySeen,
  type RunRecord,
  type RunSpan,
  traffics,
} from './record.ts'
import { gapsOf, lengthOf, sharedMs } from './spans.ts'

/** What must hold over a whole run, whatever happened in it: `breaches` says in words where it did not. */
export interface RunRule {
  readonly name: string
  readonly breaches: (record: RunRecord) => string[]
}

/** Health through the balancer is not UNKNOWN, and no older than it may be, for longer than this (ms). */
const longestGapMs = 5_000
/** Timestamps are whole seconds. */
const roundingMs = 1_000

export const rules: readonly RunRule[] = [
  { name: 'at most one decider in each epoch', breaches: decidersBeside },
  {
    name: 'health never stale or UNKNOWN for more than 5 s',
    breaches: (record) => [...gapsOfHealth(record), ...lateHealth(record)],
  },
  { name: 'no bucket of history longer than its length', breaches: longBuckets },
  { name: 'one probe in each interval by each verifier', breaches: manyProbes },
  { name: 'nothing admitted above the limits', breaches: overAdmitted },
  { name: 'usage is what callers counted', breaches: miscounted },
  { name: 'no refusal where a process could answer', breaches: needlessRefusals },
  { name: 'nothing acknowledged is lost', breaches: lostChanges },
  { name: 'everything goes on', breaches: ({ ended }) => [...ended] },
  { name: 'every kind of caller was answered', breaches: silentTraffic },
]

export interface Breach {
  readonly rule: string
  readonly what: string
}

export const breachesOf = (record: RunRecord): Breach[] =>
  rules.flatMap(({ name, breaches }) => breaches(record).map((what) => ({ rule: name, what })))

/** With a larger share of stalls, too much was excused for a run to say that times were kept. */
const largestShareOfStalls = 0.2

export type RunVerdict = 'held' | 'broken' | 'inconclusive'

/** `inconclusive`: nothing was broken, and the machine had too little time for that to mean much. */
export function verdictOf(record: RunRecord): RunVerdict {
  if (breachesOf(record).length > 0) return 'broken'
  return stalledMs(record, record) > largestShareOfStalls * lengthOf(record) ? 'inconclusive' : 'held'
}

function decidersBeside({ terms }: RunRecord): string[] {
  const holders = Map.groupBy(terms, ({ said, shard, epoch }) => `${said} shard ${shard}, epoch ${epoch}`)
  return [...holders].flatMap(([term, held]) => {
    const names = new Set(held.map(({ holder }) => holder))
    return names.size > 1 ? [`${term}: ${[...names].join(' and ')}`] : []
  })
}

const isGood = ({ decision, ageMs, mayBeMs }: HealthSeen): boolean =>
  decision !== 'UNKNOWN' && ageMs <= mayBeMs + roundingMs && ageMs >= -roundingMs

/** Nobody waits longer than that for one answer either: a balancer asks another process. */
function lateHealth(record: RunRecord): string[] {
  return record.calls
    .filter(({ traffic }) => traffic === 'health')
    .map(({ sentAt, answeredAt }) => ({ from: sentAt, until: answeredAt }))
    .filter((wait) => lengthOf(wait) - stalledMs(wait, record) > longestGapMs)
    .map((wait) => `an answer took ${seconds(lengthOf(wait))} from ${since(record, wait.from)}`)
}

function gapsOfHealth(record: RunRecord): string[] {
  return [...Map.groupBy(record.health, ({ serviceId }) => serviceId)].flatMap(([serviceId, seen]) => {
    const good = seen.filter(isGood).map(({ at }) => at)
    return gapsOf(good, record)
      .filter((gap) => lengthOf(gap) - stalledMs(gap, record) > longestGapMs)
      .map((gap) => `${serviceId}: ${seconds(lengthOf(gap))} from ${since(record, gap.from)}`)
  })
}

const stalledMs = (span: RunSpan, { stalls }: RunRecord): number => sharedMs(span, stalls)

function longBuckets({ buckets }: RunRecord): string[] {
  return buckets
    .filter(({ decidedMs, lengthMs }) => decidedMs > lengthMs)
    .map(({ name, decidedMs, lengthMs }) => `${name}: ${decidedMs} ms of ${lengthMs}`)
}

function manyProbes({ probes: seen }: RunRecord): string[] {
  return seen
    .filter(({ probes, most }) => probes > most)
    .map(({ serviceId, probes, most }) => `${serviceId}: ${probes} probes, at most ${most} were due`)
}

function overAdmitted({ keys, calls }: RunRecord): string[] {
  return keys.flatMap(({ name, limit }) => {
    if (limit === null) return []
    const reached = calls.filter(({ key, reachedAt }) => key === name && reachedAt !== null)
    const most = mostWithin(reached, limit.periodMs)
    return most > limit.units
      ? [`${name}: ${most} calls within ${limit.periodMs} ms, ${limit.units} are allowed`]
      : []
  })
}

/**
 * Returns the most calls that were certainly admitted within some interval of this length. A call is admitted after it was sent
 * and before the node got it, so that those count which were sent and got within the interval.
 */
function mostWithin(calls: readonly CallSeen[], periodMs: number): number {
  const sorted = calls.toSorted((one, other) => one.sentAt - other.sentAt)
  let most = 0
  for (const [index, { sentAt }] of sorted.entries()) {
    let count = 0
    for (let other = index; other < sorted.length; other++) {
      const call = sorted[other]
      if (call === undefined || call.sentAt > sentAt + periodMs) break
      if ((call.reachedAt ?? Number.POSITIVE_INFINITY) <= sentAt + periodMs) count += 1
    }
    most = Math.max(most, count)
  }
  return most
}

/** A call that was answered is counted; one that was cut may be. */
function miscounted({ keys, calls }: RunRecord): string[] {
  return keys.flatMap(({ name, counted }: KeySeen) => {
    const count = (outcome: CallSeen['outcome']): number =>
      calls.filter((call) => call.key === name && call.outcome === outcome).length
    const [answered, cut] = [count('answered'), count('cut')]
    return counted < answered || counted > answered + cut
      ? [`${name}: ${counted} are counted, ${answered} were answered and ${cut} cut`]
      : []
  })
}

function needlessRefusals(record: RunRecord): string[] {
  const needless = record.calls.filter((call) => isRefused(call) && excuseOf(call, record) === null)
  return needless.map(
    ({ traffic, outcome, detail, sentAt, answeredAt }) =>
      `${traffic}: ${outcome} at ${since(record, sentAt)} after ${seconds(answeredAt - sentAt)}: ${detail}`,
  )
}

function lostChanges({ acknowledged, kept }: RunRecord): string[] {
  const there = new Set(kept)
  return acknowledged.filter((name) => !there.has(name)).map((name) => `${name} is gone`)
}

function silentTraffic({ calls }: RunRecord): string[] {
  const answered = new Set(
    calls.filter(({ outcome }) => outcome === 'answered').map(({ traffic }) => traffic),
  )
  return traffics.filter((traffic) => !answered.has(traffic)).map((traffic) => `${traffic}: no answer`)
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
const since = ({ from }: RunSpan, at: number): string => seconds(at - from)
