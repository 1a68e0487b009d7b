import { type ToolCallGroup, toolCallOutcomes } from '../../shared/tool-calls.ts'
import type { FinishedToolCall, ToolCall } from '../connections/connections.ts'
import { latencyBounds, type Metrics } from '../platform/metrics.ts'
import { BoundCounts } from '../platform/observed-histogram.ts'

/** Tools may take as long as people do. */
const bounds = [...latencyBounds, 30, 60]

/**
 * Metrics of tool calls, kept as plain numbers because every call passes them. Labels are of small fixed sets: neither tools
 * nor tool servers, which callers can invent.
 */
export function createCallMetrics(metrics: Metrics) {
  const byOutcome = new Map<string, { readonly labels: { outcome: string; door: string }; count: number }>()
  const durations = new Map<ToolCallGroup, BoundCounts>()
  metrics.observedCounter(
    'tool_calls_total',
    'Calls of tools, by what became of them',
    ['outcome', 'door'],
    () => [...byOutcome.values()],
  )
  metrics.observedHistogram(
    'tool_call_duration_seconds',
    'Time from the decision to the answer',
    () => [...durations].map(([outcome, { counts, sum }]) => ({ labels: { outcome }, counts, sum })),
    bounds,
  )
  const credits = metrics.counter('tool_call_credits_total', 'Credits charged for calls of tools')
  const notKept = metrics.counter(
    'tool_calls_not_kept_total',
    'Calls of tools that were counted, and are not in the log because too many waited to be written',
  )

  function countOutcome(outcome: string, door: string): void {
    const key = `${outcome} ${door}`
    const known = byOutcome.get(key)
    if (known === undefined) byOutcome.set(key, { labels: { outcome, door }, count: 1 })
    else known.count += 1
  }

  function observe(group: ToolCallGroup, seconds: number): void {
    let counted = durations.get(group)
    if (counted === undefined) durations.set(group, (counted = new BoundCounts(bounds)))
    counted.add(seconds)
  }

  return {
    finished({ door }: ToolCall, outcome: FinishedToolCall): void {
      countOutcome(outcome.class, door)
      if (outcome.credits > 0) credits.add({}, outcome.credits)
      const group = toolCallOutcomes[outcome.class]
      if (group !== 'denied') observe(group, outcome.ms / 1_000)
    },
    notKept: (calls: number): void => notKept.add({}, calls),
  }
}
