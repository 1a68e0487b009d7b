import type { Breach } from './judge.ts'
import { gapsOf } from './judge.ts'
import type { FaultSeen, RunRecord, RunSpan, CallerKind } from './record.ts'
import { traffics } from './record.ts'

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** What callers saw from the beginning of a fault until the next one, as cells. */
function rowOf(record: RunRecord, fault: FaultSeen, next: number): string[] {
  const span = { from: fault.from, until: next }
  const amid = record.calls.filter(({ sentAt }) => sentAt >= span.from && sentAt < span.until)
  const count = (outcome: string): string => String(amid.filter((call) => call.outcome === outcome).length)
  return [
    seconds(fault.from - record.from),
    fault.name,
    fault.what,
    seconds(fault.until - fault.from),
    ...traffics.map((traffic) => longestGap(record, span, traffic)),
    count('unavailable'),
    count('cut'),
    count('lost'),
  ]
}

function longestGap({ calls }: RunRecord, span: RunSpan, traffic: CallerKind): string {
  const answers = calls.filter(
    (call) => call.traffic === traffic && call.outcome !== 'unavailable' && call.outcome !== 'cut',
  )
  const gaps = gapsOf(
    answers.map(({ answeredAt }) => answeredAt),
    span,
  )
  return seconds(Math.max(...gaps.map(({ from, until }) => until - from)))
}

/** Returns the run as a Markdown table, with what was counted and what was broken below. */
export function formatRun(record: RunRecord, breaches: readonly Breach[]): string {
  const { faults, calls, keys, probes, health, stalls, until } = record
  const rows = [
    ['At', 'Fault', 'Of', 'Lasted', ...traffics.map((traffic) => `No ${traffic} for`), '503', 'Cut', 'Lost'],
    Array.from({ length: 7 + traffics.length }, () => '---'),
    ...faults.map((fault, index) => rowOf(record, fault, faults[index + 1]?.from ?? until)),
  ]
  const counts = keys.map(({ name, counted }) => {
    const answered = calls.filter(({ key, outcome }) => key === name && outcome === 'answered').length
    return `${name} ${counted} counted, ${answered} answered`
  })
  const decisions = Map.groupBy(health, ({ decision }) => decision)
  return [
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    `${seconds(until - record.from)}; ${calls.length} calls; ${counts.join('; ')}.`,
    `Health: ${[...decisions].map(([decision, seen]) => `${seen.length} times ${decision}`).join(', ')}; probes ${probes.map(({ serviceId, probes: made, most }) => `${serviceId} ${made} of at most ${most}`).join(', ')}.`,
    `The machine had no time for this process ${stalls.length} times, ${seconds(Math.max(0, ...stalls.map(({ from, until: end }) => end - from)))} at the longest.`,
    breaches.length === 0 ? 'Everything held.' : `${breaches.length} breaches:`,
    ...breaches.map(({ rule, what }) => `- ${rule}: ${what}`),
  ].join('\n')
}
