import type { CallSeen, Engine, RunRecord, RunSpan, CallerKind } from './record.ts'
import { sharedMs } from './spans.ts'

/** How long (ms) after an engine is back processes may go on without it: they ask in turns, and wait in between. */
const graceMs = 8_000

/** What calls of a kind cannot do without. */
const needs: Readonly<Record<CallerKind, readonly Engine[]>> = {
  health: [],
  'relay free': [],
  'relay limited': ['limits'],
  console: ['database'],
  // Sessions are written down, and looked up where a process has ended.
  'agent 2025': ['database', 'session'],
  'agent 2026': ['database', 'session'],
  'agent sse': ['database', 'session'],
}

/** Whether processes ask another program before they answer a call of a kind. */
const asksOthers: Readonly<Record<CallerKind, boolean>> = {
  health: false,
  'relay free': false,
  'relay limited': true,
  console: true,
  'agent 2025': true,
  'agent 2026': true,
  'agent sse': true,
}
/** What one program does not get, another does not get a moment before or after. */
const besideStallMs = 1_000
/** nginx gives a process up that it waits for so long, and leaves it out for as long (`deploy/nginx/fleet.conf`). */
const nginxPatienceMs = 2_000
/** Stalls of so much within that keep anybody from an answer. */
const longStallMs = 1_000

/** Returns why a call could have no answer, in words; null: some process could have answered it. */
export function excuseOf(
  call: CallSeen,
  { faults, stalls }: Pick<RunRecord, 'faults' | 'stalls'>,
): string | null {
  const during = ({ from, until }: RunSpan): boolean =>
    call.answeredAt >= from && call.sentAt <= until + graceMs
  for (const fault of faults) {
    const away = fault.away.find((one) => needs[call.traffic].includes(one.engine) && during(one))
    if (away !== undefined && call.outcome === 'unavailable') return `${away.engine} away`
    // What was sent to a process that died may have been carried out, so that nobody sends it to another one.
    const { death } = fault
    if (
      call.outcome === 'cut' &&
      death !== null &&
      call.sentAt <= death.until &&
      call.answeredAt >= death.from
    )
      return 'its process was killed'
    if (call.traffic === 'agent sse' && fault.endsStreams && during(fault))
      return 'the process of its stream ended'
  }
  return isStarved(call, stalls) ? 'the machine had no time' : null
}

/** Who asks another program waits for it for a quarter of a second at least: a machine without time for that is none of ours. */
function isStarved({ traffic, sentAt, answeredAt }: CallSeen, stalls: readonly RunSpan[]): boolean {
  const around = { from: sentAt - nginxPatienceMs, until: answeredAt }
  if (sharedMs(around, stalls) >= longStallMs) return true
  const beside = { from: sentAt - besideStallMs, until: answeredAt + besideStallMs }
  return asksOthers[traffic] && sharedMs(beside, stalls) > 0
}

/** How often which reason excused a call that had no answer. */
export function excusesOf(record: RunRecord): Map<string, number> {
  const counts = new Map<string, number>()
  for (const call of record.calls) {
    const excuse = isRefused(call) ? excuseOf(call, record) : null
    if (excuse !== null) counts.set(excuse, (counts.get(excuse) ?? 0) + 1)
  }
  return counts
}

export const isRefused = ({ outcome }: CallSeen): boolean => outcome !== 'answered' && outcome !== 'limited'
