import type { CallSeen, Engine, FaultSeen, RunSpan, CallerKind } from './record.ts'

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

/** Returns why a call could have no answer, in words; null: some process could have answered it. */
export function excuseOf(
  call: CallSeen,
  { faults, stalls }: { readonly faults: readonly FaultSeen[]; readonly stalls: readonly RunSpan[] },
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
  // Who asks another program waits for it for a quarter of a second at least: a machine without time for that is none of ours.
  const isStarved = stalls.some(
    ({ from, until }) => call.answeredAt >= from - besideStallMs && call.sentAt <= until + besideStallMs,
  )
  return isStarved && asksOthers[call.traffic] ? 'the machine had no time' : null
}
