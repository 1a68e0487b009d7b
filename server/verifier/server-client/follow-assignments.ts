import type { Assignments } from '../../../shared/verifier-protocol.ts'
import { assertNever } from '../../platform/fault.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { backOffMs } from '../delivery/back-off.ts'
import { pause } from '../wake-up.ts'
import { untilAborted } from '../../platform/deadline.ts'
import type { AssignmentsOutcome, ServerClient } from './server-client.ts'

export interface FeedOptions {
  serverClient: ServerClient
  clock: Clock
  random: () => number
  log: Log
  onAssignments: (assignments: Assignments) => void
}

/** Shortest time between two polls (ms): a server that answers "unchanged" at once must not be polled in a tight loop. */
const shortestPollMs = 1_000

/** Keeps the assignments up to date until the signal aborts or the server says that the verifier is revoked. */
export async function followAssignments(
  options: FeedOptions,
  signal: AbortSignal,
): Promise<'stopped' | 'revoked'> {
  const { serverClient, clock, random, log, onAssignments } = options
  let etag: string | null = null
  let failures = 0
  let told = ''
  while (!signal.aborted) {
    const askedAt = clock.monotonic()
    const outcome: AssignmentsOutcome = await untilAborted(serverClient.assignments(etag, signal), signal)
    switch (outcome.kind) {
      case 'changed':
        failures = 0
        etag = outcome.assignments.etag
        onAssignments(outcome.assignments)
        break
      case 'unchanged':
        failures = 0
        await pause(Math.max(0, askedAt + shortestPollMs - clock.monotonic()), signal)
        break
      case 'unreachable':
      case 'refused': {
        const { kind, ...refusal } = outcome
        const problem =
          kind === 'refused' ? 'the server refuses to say what to probe' : 'the server does not answer'
        const words = JSON.stringify([problem, refusal])
        if (failures === 0 || words !== told) log.warn(`${problem}; trying again`, refusal)
        told = words
        await pause(backOffMs(failures, random), signal)
        failures += 1
        break
      }
      case 'revoked':
        return 'revoked'
      default:
        assertNever(outcome)
    }
  }
  return 'stopped'
}
