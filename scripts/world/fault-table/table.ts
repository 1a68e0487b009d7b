import { excusesOf } from './excuses.ts'
import type { Breach, RunVerdict } from './judge.ts'
import type { FaultSeen, RunRecord, RunSpan, CallerKind } from './record.ts'
import { traffics } from './record.ts'
import { gapsOf, lengthOf, sharedMs } from './spans.ts'

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
    ...traffics.map((traffic) => seconds(longestGapMs(record, span, traffic))),
    count('unavailable'),
    count('cut'),
    count('lost'),
  ]
}

function longestGapMs({ calls }: RunRecord, span: RunSpan, traffic: CallerKind): number {
  const answers = calls.filter(
    (call) => call.traffic === traffic && call.outcome !== 'unavailable' && call.outcome !== 'cut',
  )
  const gaps = gapsOf(
    answers.map(({ answeredAt }) => answeredAt),
    span,
  )
  return Math.max(...gaps.map(lengthOf))
}

const columns: readonly (readonly [string, readonly CallerKind[]])[] = [
  ['Health', ['health']],
  ['Apps', ['relay free']],
  ['Apps with limits', ['relay limited']],
  ['Console', ['console']],
  ['Agents', ['agent 2025', 'agent 2026', 'agent sse']],
]

/** Of each fault how often it happened, and the longest that callers of a kind had no answer: as `deploy/README.md` has it. */
function summaryOf(record: RunRecord): string[][] {
  const { faults, until } = record
  const spans = faults.map(({ name, from }, index) => ({
    name,
    from,
    until: faults[index + 1]?.from ?? until,
  }))
  const rows = [...Map.groupBy(spans, ({ name }) => name)].map(([name, times]) => [
    name,
    String(times.length),
    ...columns.map(([, kinds]) =>
      seconds(Math.max(...times.flatMap((span) => kinds.map((kind) => longestGapMs(record, span, kind))))),
    ),
  ])
  const head = ['Fault', 'Times', ...columns.map(([title]) => title)]
  return rows.length === 0 ? [] : [head, head.map(() => '---'), ...rows]
}

const inWords: Readonly<Record<RunVerdict, string>> = {
  held: 'Everything held.',
  inconclusive: 'Nothing was broken; the machine had too little time for this to say that times were kept.',
  broken: 'Promises were broken:',
}

/** Returns the run as Markdown tables, with what was counted and what was broken below. */
export function formatRun(record: RunRecord, breaches: readonly Breach[], verdict: RunVerdict): string {
  const { faults, calls, keys, probes, health, stalls, until } = record
  const rows =
    faults.length === 0
      ? []
      : [
          [
            'At',
            'Fault',
            'Of',
            'Lasted',
            ...traffics.map((traffic) => `No ${traffic} for`),
            '503',
            'Cut',
            'Lost',
          ],
          Array.from({ length: 7 + traffics.length }, () => '---'),
          ...faults.map((fault, index) => rowOf(record, fault, faults[index + 1]?.from ?? until)),
          [],
          ...summaryOf(record),
        ]
  const counts = keys.map(({ name, counted }) => {
    const answered = calls.filter(({ key, outcome }) => key === name && outcome === 'answered').length
    return `${name} ${counted} counted, ${answered} answered`
  })
  const decisions = Map.groupBy(health, ({ decision }) => decision)
  const excused = [...excusesOf(record)].map(([reason, count]) => `${count} ${reason}`)
  const share = (100 * sharedMs(record, stalls)) / lengthOf(record)
  return [
    ...rows.map((cells) => (cells.length === 0 ? '' : `| ${cells.join(' | ')} |`)),
    '',
    `${seconds(until - record.from)}; ${calls.length} calls; ${counts.join('; ')}.`,
    `Health: ${[...decisions].map(([decision, seen]) => `${seen.length} times ${decision}`).join(', ')}; probes ${probes.map(({ serviceId, probes: made, most }) => `${serviceId} ${made} of at most ${most}`).join(', ')}.`,
    `Calls without an answer that are excused: ${excused.join(', ') || 'none'}.`,
    `A process waited for a processor in ${stalls.length} times, ${share.toFixed(1)} % of the run, ${seconds(Math.max(0, ...stalls.map(lengthOf)))} at the longest.`,
    inWords[verdict],
    ...breaches.map(({ rule, what }) => `- ${rule}: ${what}`),
  ].join('\n')
}
