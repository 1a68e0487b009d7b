import type { CallSeen, Engine, FaultSeen, Span, Traffic } from './record.ts'

/** How long (ms) after an engine is back processes may go on without it: they ask in turns, and wait in between. */
const graceMs = 8_000

/** What calls of a kind cannot do without. */
const needs: Readonly<Record<Traffic, readonly Engine[]>> = {
  health: [],
  'relay free': [],
  'relay limited': ['limits'],
  console: ['database'],
  // Sessions are written down, and looked up where a process has ended.
  'agent 2025': ['database', 'session'],
  'agent 2026': ['database', 'session'],
  'agent sse': ['database', 'session'],
}

/** Returns why a call could have no answer, in words; null: some process could have answered it. */
export function excuseOf(call: CallSeen, faults: readonly FaultSeen[]): string | null {
  const during = ({ from, until }: Span): boolean => call.answeredAt >= from && call.sentAt <= until + graceMs
  for (const fault of faults) {
    const away = fault.away.find((one) => needs[call.traffic].includes(one.engine) && during(one))
    if (away !== undefined && call.outcome === 'unavailable') return `${away.engine} away`
    // What was sent to a process that died may have been carried out, so that nobody sends it to another one.
    const { cutAt } = fault
    if (call.outcome === 'cut' && cutAt !== null && call.sentAt <= cutAt && call.answeredAt >= cutAt)
      return 'its process was killed'
    if (call.traffic === 'agent sse' && fault.endsStreams && during(fault))
      return 'the process of its stream ended'
  }
  return null
}
