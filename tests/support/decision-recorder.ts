import { repeat } from '../../scripts/world/repeating.ts'
import type { Decision } from '../../shared/health.ts'
import type { HealthClient } from './health-client.ts'

/** Asks for decisions all the time, so that a test can tell what was never published. */
export interface DecisionRecorder {
  /** Every decision that a service was seen with, in order, repetitions left out. */
  seen(id: string): Decision[]
  /** How often the services were asked. */
  readonly polls: number
  /** Requests that did not get an answer. */
  readonly failures: readonly string[]
  stop(): Promise<void>
}

const everyMs = 200

export function recordDecisions(
  health: Pick<HealthClient, 'read'>,
  ids: readonly string[],
): DecisionRecorder {
  const seen = new Map<string, Decision[]>(ids.map((id) => [id, []]))
  const failures: string[] = []
  let polls = 0

  async function ask(id: string): Promise<void> {
    try {
      const { decision } = await health.read(id)
      const before = seen.get(id)
      if (before?.at(-1) !== decision) before?.push(decision)
    } catch (error) {
      failures.push(`${id}: ${String(error)}`)
    }
  }

  const polling = repeat(async () => {
    await Promise.all(ids.map(ask))
    polls += 1
  }, everyMs)

  return {
    seen: (id) => seen.get(id) ?? [],
    get polls() {
      return polls
    },
    failures,
    stop: () => polling.stop(),
  }
}
