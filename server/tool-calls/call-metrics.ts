import { toolCallOutcomes } from '../../shared/tool-calls.ts'
import type { FinishedToolCall, ToolCall } from '../connections/connections.ts'
import { latencyBounds, type Metrics } from '../platform/metrics.ts'

/** Metrics of tool calls. Labels are of small fixed sets: neither tools nor tool servers, which callers can invent. */
export function createCallMetrics(metrics: Metrics) {
  const calls = metrics.counter('tool_calls_total', 'Calls of tools, by what became of them', [
    'outcome',
    'door',
  ])
  const credits = metrics.counter('tool_call_credits_total', 'Credits charged for calls of tools')
  const notKept = metrics.counter(
    'tool_calls_not_kept_total',
    'Calls of tools that were counted, and are not in the log because too many waited to be written',
  )
  const durations = metrics.histogram('tool_call_duration_seconds', 'Time from the decision to the answer', {
    labels: ['outcome'],
    buckets: [...latencyBounds, 30, 60],
  })

  return {
    finished({ door }: ToolCall, outcome: FinishedToolCall): void {
      calls.add({ outcome: outcome.class, door })
      if (outcome.credits > 0) credits.add({}, outcome.credits)
      const group = toolCallOutcomes[outcome.class]
      if (group !== 'denied') durations.observe(outcome.ms / 1_000, { outcome: group })
    },
    notKept: (count: number): void => notKept.add({}, count),
  }
}
